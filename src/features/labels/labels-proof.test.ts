import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumLibrary } from "@hyzyla/pdfium";
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
import { FNC1, PATTERNS } from "#formats/gs1/code128.ts";
import {
  LABEL_SIZE,
  RESOLUTIONS,
  toDots,
  type DrawnSymbol,
  type Resolution,
  type ResolutionName,
} from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX, sampleCartons } from "#features/labels/fixtures/sample-cartons.ts";
import type { Carton } from "#features/labels/layout/rules-content.ts";
import { createLayout } from "#features/labels/layout/rules-layout.ts";
import { PROFILES, type Profile } from "#features/labels/layout/rules-profiles.ts";

const require = createRequire(import.meta.url);

/** A page of which each printer has a round number of dots, so that a raster has one pixel for each dot. */
const PAGE = { width: 360, height: 540 };

/** What printers are, written down apart from the product: those called 203 have 8 dots a millimeter. */
const PRINTERS: Readonly<Record<ResolutionName, Resolution>> = {
  "203": { dotsPerInch: 203.2, moduleDots: 4 },
  "300": { dotsPerInch: 300, moduleDots: 6 },
  "600": { dotsPerInch: 600, moduleDots: 12 },
};

type Raster = { width: number; height: number; data: Uint8Array };
type Drawn = { carton: Carton; symbols: readonly DrawnSymbol[] };

async function documentOf(profile: Profile, name: ResolutionName, cartons: readonly Carton[]) {
  const resolution = RESOLUTIONS[name];
  const layout = createLayout(profile, resolution);
  const labels = cartons.map((carton) => layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX }));
  const pages = async function* () {
    for (const label of labels) yield [{ ...label, leftDots: 0, topDots: 0 }];
  };
  const pieces: Buffer[] = [];
  for await (const piece of writePdf({
    title: "Proof",
    resolution,
    page: PAGE,
    label: LABEL_SIZE,
    pages: pages(),
  }))
    pieces.push(piece);
  const drawn = cartons.map((carton, at): Drawn => ({ carton, symbols: labels[at]?.own.symbols ?? [] }));
  return { bytes: Buffer.concat(pieces), drawn };
}

/** Every page as gray dots of the printer, by an engine that is not ours. */
async function* rastersOf(bytes: Buffer, name: ResolutionName): AsyncGenerator<Raster> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  try {
    for (const page of document.pages()) {
      const bitmap = await page.render({
        width: toDots(PAGE.width, PRINTERS[name]),
        height: toDots(PAGE.height, PRINTERS[name]),
        colorSpace: "Gray",
        render: ({ data }) => Promise.resolve(data),
      });
      yield { width: bitmap.width, height: bitmap.height, data: new Uint8Array(bitmap.data) };
    }
  } finally {
    document.destroy();
    library.destroy();
  }
}

/** The data that each bar code of a label must have, from top to bottom. */
const expectedOf = ({ row, sscc }: Carton): string[] => [
  row.country === "US" ? `420${row.postalCode}` : `421124${row.postalCode.replace(" ", "")}`,
  ...(row.markFor === "" ? [] : [`91${row.markFor}`]),
  `00${sscc}`,
];

/** Widths of bars and spaces along a line of dots that begins with a bar; a dot with any ink in it is printed. */
function runsOf(line: Uint8Array): number[] {
  const runs = [0];
  for (const dot of line) {
    const isBar = dot < 250;
    if (isBar !== (runs.length % 2 === 1)) runs.push(0);
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
  }
  return runs;
}

/** Code words by what is printed; fails where a bar or space is not exactly as wide as it must be. */
function wordsIn(raster: Raster, symbol: DrawnSymbol, name: ResolutionName): number[] {
  const resolution = PRINTERS[name];
  const middle = toDots(symbol.y + symbol.height / 2, resolution);
  const from = middle * raster.width + symbol.leftDots;
  const quiet = 10 * resolution.moduleDots;
  const dots = (symbol.words.length * 11 + 2) * resolution.moduleDots;
  for (const side of [
    raster.data.subarray(from - quiet, from),
    raster.data.subarray(from + dots, from + dots + quiet),
  ])
    expect(side.every((dot) => dot === 255)).toBe(true);
  const runs = runsOf(raster.data.subarray(from, from + dots));
  const widths = runs.map((run) => run / resolution.moduleDots);
  expect(widths.filter((each) => !Number.isInteger(each))).toEqual([]);
  const words: number[] = [];
  for (let at = 0; at < widths.length - 7; at += 6)
    words.push(PATTERNS.indexOf(widths.slice(at, at + 6).join("")));
  return [...words, PATTERNS.indexOf(widths.slice(-7).join(""))];
}

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
  ["203", 54],
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
        const rgba = new Uint8ClampedArray(raster.data.length * 4).fill(255);
        for (const [dot, gray] of raster.data.entries()) rgba.fill(gray, dot * 4, dot * 4 + 3);
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
