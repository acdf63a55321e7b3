import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  BinaryBitmap,
  Code128Reader,
  DecodeHintType,
  HybridBinarizer,
  RGBLuminanceSource,
} from "@zxing/library";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { ready as zpl } from "zpl-renderer-js";
import { FNC1 } from "#formats/gs1/code128.ts";
import {
  LABEL_SIZE,
  RESOLUTIONS,
  toDots,
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

function decodeByPort({ width, height, data }: Raster, symbol: DrawnSymbol, name: ResolutionName): string {
  const resolution = PRINTERS[name];
  const top = toDots(symbol.y + 2, resolution);
  const rows = Math.min(height - top, toDots(symbol.height - 4, resolution));
  const cut = data.slice(top * width, (top + rows) * width);
  const source = new RGBLuminanceSource(new Uint8ClampedArray(cut), width, rows);
  const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.ASSUME_GS1, true]]);
  const reader = new Code128Reader();
  const text = reader.decode(new BinaryBitmap(new HybridBinarizer(source)), hints as never).getText();
  // It takes a check character of 102 for one more separator.
  return symbol.words.at(-2) === FNC1 ? text.replace(/\u001D$/, "") : text;
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
    let proven = 0;
    for (const profile of PROFILES) {
      const cartons = sampleCartons(labels || Math.ceil(count / PROFILES.length));
      const { bytes, drawn } = await documentOf(profile, name, cartons);
      let page = 0;
      for await (const raster of rastersOf(bytes, name)) {
        const { carton, symbols } = drawn[page++] ?? expect.unreachable();
        const expected = expectedOf(carton);
        for (const [at, symbol] of symbols.entries()) {
          expect(wordsIn(raster, symbol, name)).toEqual(symbol.words);
          expect(decodeByPort(raster, symbol, name)).toBe(`]C1${expected[at]}`);
        }
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
