import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  scanGrayBuffer,
  ZBarConfigType,
  ZBarOrientation,
  ZBarScanner,
  ZBarSymbolType,
} from "@undecaf/zbar-wasm";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { ready as zpl } from "zpl-renderer-js";
import { checkWord, STOP } from "#formats/gs1/code128.ts";
import {
  LABEL_SIZE,
  RESOLUTIONS,
  toPoints,
  type DrawnSymbol,
  type ResolutionName,
} from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import { sampleCartons } from "#features/labels/fixtures/sample-cartons.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX } from "#features/labels/layout/rules-sample.ts";
import type { Carton } from "#features/labels/layout/rules-content.ts";
import { createLayout } from "#features/labels/layout/rules-layout.ts";
import { PROFILES, type Profile } from "#features/labels/layout/rules-profiles.ts";
import { fillPages, pageOf } from "#features/labels/print/rules-pages.ts";
import { readFontFile } from "#features/labels/print/read-fonts.ts";
import {
  collect,
  PAGE,
  PRINTERS,
  rastersOf,
  wordsIn,
  type Raster,
} from "#features/labels/fixtures/rasters.ts";

const require = createRequire(import.meta.url);

type Drawn = { carton: Carton; symbols: readonly DrawnSymbol[] };

async function documentOf(profile: Profile, name: ResolutionName, cartons: readonly Carton[]) {
  const resolution = RESOLUTIONS[name];
  const layout = createLayout(profile, resolution);
  const labels = cartons.map((carton) => layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX }));
  const pages = async function* () {
    for (const label of labels) yield [{ ...label, leftDots: 0, topDots: 0 }];
  };
  const about = {
    title: "Proof",
    resolution,
    page: PAGE,
    label: LABEL_SIZE,
    pages: pages(),
    fontFile: readFontFile,
  };
  const bytes = Buffer.concat(await collect(writePdf(about)));
  const drawn = cartons.map((carton, at): Drawn => ({ carton, symbols: labels[at]?.own.symbols ?? [] }));
  return { bytes, drawn };
}

/** The data that each bar code of a label must have, from top to bottom. */
const expectedOf = ({ row, sscc }: Carton): string[] => [
  row.country === "US" ? `420${row.postalCode}` : `421124${row.postalCode.replace(" ", "")}`,
  ...(row.markFor === "" ? [] : [`91${row.markFor}`]),
  `00${sscc}`,
];

/** By lines across the page alone, every eighth of them. */
async function createZBar(): Promise<ZBarScanner> {
  const scanner = await ZBarScanner.create();
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_CODE128, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_X_DENSITY, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_Y_DENSITY, 8);
  return scanner;
}

/** What ZBar, which shares no code with ZXing, reads of a page from left to right. */
async function decodeByZBar({ width, height, data }: Raster, scanner: ZBarScanner): Promise<string[]> {
  const read = await scanGrayBuffer(data.buffer as ArrayBuffer, width, height, scanner);
  return read.map((symbol) =>
    symbol.orientation === ZBarOrientation.ZBAR_ORIENT_UP ? symbol.decode() : "turned",
  );
}

const SAMPLES = [
  ["203", 63],
  ["300", 42],
  ["600", 3],
] as const;

const labels = Number(process.env["PROOF_LABELS"] ?? 0);

test.each(SAMPLES)(
  "at %s dpi every bar is exactly as many dots as it must be, and two decoders read the exact data as GS1",
  async (name, count) => {
    const wasm = await readFile(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
    await prepareZXingModule({
      overrides: { wasmBinary: wasm.buffer as ArrayBuffer },
      fireImmediately: true,
    });
    const scanner = await createZBar();
    let proven = 0;
    for (const profile of PROFILES) {
      const cartons = sampleCartons(labels || Math.ceil(count / PROFILES.length));
      const { bytes, drawn } = await documentOf(profile, name, cartons);
      let page = 0;
      for await (const raster of rastersOf(bytes, name)) {
        const { carton, symbols } = drawn[page++] ?? expect.unreachable();
        const expected = expectedOf(carton);
        for (const symbol of symbols) expect(wordsIn(raster, symbol, name)).toEqual(symbol.words);
        expect((await decodeByZBar(raster, scanner)).sort()).toEqual(expected.toSorted());
        // One number a pixel: red, green and blue the same, and opaque.
        const pixels = new Uint32Array(raster.data.length);
        raster.data.forEach((gray, at) => (pixels[at] = 0xff000000 + gray * 0x010101));
        const rgba = new Uint8ClampedArray(pixels.buffer);
        const read = await readBarcodes(
          { data: rgba, width: raster.width, height: raster.height, colorSpace: "srgb" } as ImageData,
          {
            formats: ["Code128"],
            textMode: "Plain",
            tryRotate: false,
          },
        );
        expect(read.map(({ text, symbologyIdentifier }) => `${symbologyIdentifier}${text}`).sort()).toEqual(
          expected.map((data) => `]C1${data}`).sort(),
        );
        proven += symbols.length;
      }
    }
    process.stdout.write(`Proven at ${name} dpi: ${proven} bar codes\n`);
  },
);

test.each(["letter-2", "letter-4"] as const)(
  "on %s sheets, too, every bar of every label is exactly as many dots as it must be",
  async (paper) => {
    const [name, form] = ["300", pageOf(paper)] as const;
    const resolution = RESOLUTIONS[name];
    for (const profile of PROFILES) {
      const layout = createLayout(profile, resolution, form.label.height);
      // A quarter of a sheet has no room for all lines of a label abroad.
      const blank = { gtin: "", model: "", department: "", vendor: "" };
      const labels = sampleCartons(form.places.length).map(({ row, ...carton }) => {
        const fitting = { ...carton, row: { ...row, ...blank } };
        expect(layout.findTextFaults(fitting, SAMPLE_FROM)).toEqual([]);
        return layout.draw(fitting, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX });
      });
      const inLine = async function* () {
        for (const label of labels) yield { ...label, isFirst: false };
      };
      const pages = await collect(fillPages(inLine(), form, resolution));
      const { page, label } = form;
      const asked = (async function* () {
        yield* pages;
      })();
      const bytes = Buffer.concat(
        await collect(
          writePdf({ title: "Proof", resolution, page, label, pages: asked, fontFile: readFontFile }),
        ),
      );
      for await (const raster of rastersOf(bytes, name, page))
        for (const { own, leftDots, topDots } of pages[0] ?? [])
          for (const symbol of own.symbols) {
            const y = symbol.y + toPoints(topDots, resolution);
            const placed = { ...symbol, leftDots: symbol.leftDots + leftDots, y };
            expect(wordsIn(raster, placed, name)).toEqual(symbol.words);
          }
    }
  },
);

/** Code words of a symbol in the notation of Zebra printers, and how many dots wide it makes a module. */
function wordsOfZpl(text: string): { words: number[]; moduleDots: number }[] {
  const CODES: Readonly<Record<string, number>> = { ";": 105, ":": 104, "5": 99, "6": 100, "8": 102 };
  return [...text.matchAll(/\^BY(\d+)\^BC.*?\^FD(.*?)\^FS/g)].map(([, dots, data = ""]) => {
    const words: number[] = [];
    let isC = false;
    for (const [token, code] of data.matchAll(/>([;:0568])|\d\d|./g)) {
      if (code === undefined && isC) words.push(Number(token));
      else if (code === undefined) for (const each of token) words.push(each.charCodeAt(0) - 32);
      else words.push(CODES[code] ?? ">".charCodeAt(0) - 32);
      if (code === ";" || code === "5") isC = true;
      if (code === ":" || code === "6") isC = false;
    }
    return { words: [...words, checkWord(words), STOP], moduleDots: Number(dots) };
  });
}

test.each(["203", "300", "600"] as const)(
  "at %s dpi what Zebra printers are sent has the very code words of the bars on the PDF's page, as many dots wide",
  async (name) => {
    const resolution = RESOLUTIONS[name];
    for (const profile of PROFILES) {
      const write = createZpl({ resolution, label: LABEL_SIZE });
      const layout = createLayout(profile, resolution);
      const cartons = sampleCartons(name === "600" ? 1 : 8);
      const { bytes, drawn } = await documentOf(profile, name, cartons);
      let page = 0;
      for await (const raster of rastersOf(bytes, name)) {
        const { carton, symbols } = drawn[page++] ?? expect.unreachable();
        const zplText = write(layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX }));
        expect(wordsOfZpl(zplText)).toEqual(
          symbols.map((symbol) => ({
            words: wordsIn(raster, symbol, name),
            moduleDots: PRINTERS[name].moduleDots,
          })),
        );
      }
    }
  },
);

test("what Zebra printers are sent shows the same bar codes with the same data", async () => {
  const wasm = await readFile(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer }, fireImmediately: true });
  const { api } = await zpl;
  const resolution = RESOLUTIONS["203"];
  for (const profile of PROFILES) {
    const layout = createLayout(profile, resolution);
    const write = createZpl({ resolution, label: LABEL_SIZE });
    for (const carton of sampleCartons(2)) {
      const text = write(layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX }));
      const png = Buffer.from(await api.zplToBase64Async(text, 101.6, 152.4, 8), "base64");
      const read = await readBarcodes(new Uint8Array(png), { formats: ["Code128"], textMode: "Plain" });
      const found = read.map(({ text: data, symbologyIdentifier }) => `${symbologyIdentifier}${data}`);
      expect(found.sort()).toEqual(
        expectedOf(carton)
          .map((data) => `]C1${data}`)
          .sort(),
      );
    }
  }
});
