import bwipjs from "bwip-js";
import { PDFDocument, StandardFonts } from "pdf-lib";
import PdfKit from "pdfkit";
import { barWidths } from "../src/formats/gs1/bar-code.ts";
import { encodeGs1 } from "../src/formats/gs1/code128.ts";
import {
  LABEL_SIZE,
  modulePoints,
  RESOLUTIONS,
  toPoints,
  type Drawing,
} from "../src/formats/label/drawing.ts";
import { writePdf } from "../src/formats/pdf/write-pdf.ts";
import { createZpl } from "../src/formats/zpl/write-zpl.ts";
import { writeWorkbook } from "../src/formats/xlsx/write-workbook.ts";
import { sampleCartons } from "../src/features/labels/fixtures/sample-cartons.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX } from "../src/features/labels/fixtures/sample-row.ts";
import { createLayout } from "../src/features/labels/layout/draw.ts";
import { readFontFile } from "../src/platform/fonts.ts";
import { findSymbolData, readableText } from "../src/features/labels/layout/symbols.ts";
import { generic } from "../src/features/labels/profiles/generic-profiles.ts";
import type { LabelSheetInput } from "../src/features/labels/read-sheet/read-sheet.ts";
import type { Carton } from "../src/features/labels/types.ts";
import { runInThread } from "../src/platform/threads/run-in-thread.ts";

/**
 * Compares our label writers with the best pipeline of libraries and with the obvious one. All draw the same
 * texts, rules and barcodes. Measures the median processor time of this process. Exits 1 if a target is
 * missed.
 */
const LABELS = 10_000;
const FEW = 60;
const SOME = 1_000;
const TARGETS = { pdfkit: 8, naive: 300, zplPerSecond: 50_000, bytes: 760, growthMb: 60 };

const resolution = RESOLUTIONS["203"];
const layout = createLayout(generic, resolution);
const draw = (carton: Carton) => layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX });

const missed: string[] = [];
const report = (what: string, isMet: boolean) => {
  console.log(`${isMet ? "ok    " : "MISSED"} ${what}`);
  if (!isMet) missed.push(what);
};

const cartons = sampleCartons(LABELS).map((carton) => ({ ...carton, row: { ...carton.row, country: "US" } }));
const ours = await middle(5, async () => (await ourPdf(cartons)).bytes);
const own = await ourPdf(cartons);
const kit = await middle(3, () => pdfKit(cartons.slice(0, SOME * 2)));
const naive = await middle(1, () => naivePdf(cartons.slice(0, FEW)));
const write = createZpl({ resolution, label: LABEL_SIZE });
const zpl = await middle(5, async () => {
  for (const carton of cartons) write(draw(carton));
});
const perSecond = LABELS / ours;
const kitPerSecond = (SOME * 2) / kit;
const naivePerSecond = FEW / naive;
console.log(
  `own PDF       ${perSecond.toFixed(0)} labels per CPU second, ${(own.bytes / LABELS).toFixed(0)} B a label`,
);
console.log(`pdfkit + bars ${kitPerSecond.toFixed(0)} labels per CPU second (of ${SOME * 2})`);
console.log(`naive         ${naivePerSecond.toFixed(1)} labels per CPU second (of ${FEW})`);
report(
  `${(perSecond / kitPerSecond).toFixed(1)} x pdfkit, at least ${TARGETS.pdfkit}`,
  perSecond / kitPerSecond >= TARGETS.pdfkit,
);
report(
  `${(perSecond / naivePerSecond).toFixed(0)} x naive, at least ${TARGETS.naive}`,
  perSecond / naivePerSecond >= TARGETS.naive,
);
report(
  `${(own.bytes / LABELS).toFixed(0)} B a label, at most ${TARGETS.bytes}`,
  own.bytes / LABELS <= TARGETS.bytes,
);
report(
  `ZPL ${(LABELS / zpl).toFixed(0)} labels per CPU second, at least ${TARGETS.zplPerSecond}`,
  LABELS / zpl >= TARGETS.zplPerSecond,
);
const growth = await measureGrowth(5 * LABELS);
report(
  `memory grows by ${growth.toFixed(0)} MB over ${5 * LABELS} labels, at most ${TARGETS.growthMb}`,
  growth <= TARGETS.growthMb,
);
for (const [rows, seconds] of [
  [SOME, 0.5],
  [LABELS, 4],
] as const) {
  const used = await readAndPrint(rows);
  report(
    `${rows} rows read, checked and printed in ${used.toFixed(2)} CPU seconds, at most ${seconds}`,
    used <= seconds,
  );
}
process.exitCode = missed.length > 0 ? 1 : 0;

async function ourPdf(some: readonly Carton[]): Promise<{ bytes: number }> {
  const pages = async function* () {
    for (const carton of some) yield [{ ...draw(carton), leftDots: 0, topDots: 0 }];
  };
  let bytes = 0;
  const sizes = { page: LABEL_SIZE, label: LABEL_SIZE };
  for await (const piece of writePdf({
    title: "Bench",
    resolution,
    ...sizes,
    pages: pages(),
    fontFile: readFontFile,
  }))
    bytes += piece.length;
  return { bytes };
}

/** Draws the same bars as our writer, as fast as the library allows. */
async function pdfKit(some: readonly Carton[]): Promise<void> {
  const document = new PdfKit({
    autoFirstPage: false,
    size: [LABEL_SIZE.width, LABEL_SIZE.height],
    margin: 0,
  });
  document.on("data", () => undefined);
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const carton of some) {
    document.addPage();
    const { common, own: label } = draw(carton);
    for (const drawing of [common, label]) drawWithKit(document, drawing);
  }
  document.end();
  await ended;
}

function drawWithKit(document: InstanceType<typeof PdfKit>, { texts, rules, symbols }: Drawing): void {
  for (const { x, y, width, height } of rules) document.rect(x, y, width, height);
  for (const symbol of symbols) {
    let left = toPoints(symbol.leftDots, resolution);
    for (const [at, digit] of [...barWidths(symbol)].entries()) {
      const width = Number(digit) * modulePoints(resolution);
      if (at % 2 === 0) document.rect(left, symbol.y, width, symbol.height);
      left += width;
    }
  }
  document.fill();
  for (const { text, x, y, size, isBold } of texts)
    document
      .font(isBold ? "Helvetica-Bold" : "Helvetica", size)
      .text(text, x, y - size, { lineBreak: false });
}

/** Embeds barcode images in a document with the most popular library. */
async function naivePdf(some: readonly Carton[]): Promise<void> {
  const document = await PDFDocument.create();
  const fonts = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ] as const;
  for (const carton of some) {
    const page = document.addPage([LABEL_SIZE.width, LABEL_SIZE.height]);
    const { common, own: label } = draw(carton);
    for (const { text, x, y, size, isBold } of [...common.texts, ...label.texts])
      page.drawText(text, { x, y: LABEL_SIZE.height - y, size, font: fonts[isBold ? 1 : 0] });
    for (const source of ["postalCode", "markFor", "sscc"] as const) {
      const element = findSymbolData({ of: source, height: 37 }, carton);
      if (!element) continue;
      const text = readableText(element, "").replaceAll(" ", "");
      const png = await bwipjs.toBuffer({ bcid: "gs1-128", text, scale: 3, height: 12 });
      page.drawImage(await document.embedPng(png), { x: 20, y: 20, width: 200, height: 40 });
    }
  }
  await document.save();
  if (encodeGs1("00").words.length === 0) throw new Error("Nothing was encoded.");
}

/** Median processor seconds of some runs. */
async function middle(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e6);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

/** Maximum additional megabytes while a long document is written in chunks. */
async function measureGrowth(count: number): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const pages = async function* () {
    for (let at = 0; at < count; at += 1) {
      const carton = cartons[at % LABELS];
      if (carton) yield [{ ...draw(carton), leftDots: 0, topDots: 0 }];
      if (at % 1_000 === 0) most = Math.max(most, process.memoryUsage().rss);
    }
  };
  const sizes = { page: LABEL_SIZE, label: LABEL_SIZE };
  for await (const _ of writePdf({
    title: "Bench",
    resolution,
    ...sizes,
    pages: pages(),
    fontFile: readFontFile,
  }));
  return (most - before) / 1_048_576;
}

/**
 * Measures from the bytes of a workbook to those of the document, in a thread and here, as the product does
 * it, without the database.
 */
async function readAndPrint(count: number): Promise<number> {
  const headers = ["PO Number", "Ship To Name", "Ship To Address 1", "Ship To City", "Ship To State"];
  const more = ["Ship To Postal Code", "Mark For / Store", "Carrier", "Qty In Carton", "SKU / Item"];
  const rows = sampleCartons(count).map(({ row }) => [
    row.poNumber,
    row.shipToName,
    row.address1,
    "Reno",
    "NV",
    "89506",
    "0412",
    row.carrier,
    24,
    row.item,
  ]);
  const columns = [...headers, ...more].map((header) => ({ header }));
  const bytes = await writeWorkbook([{ name: "Labels", columns, rows }]);
  const about = { profile: generic, resolution: "203" as const, prefixes: [SAMPLE_PREFIX] };
  const printing = { shipFroms: { "": SAMPLE_FROM }, paper: "roll" as const };
  const file = { fileName: "bench.xlsx", chosen: new Map(), cells: [], dateOrder: null };
  const input: LabelSheetInput = { ...file, today: "2026-11-22", ...about, ...printing };
  const module = new URL("../src/features/labels/read-sheet/read-sheet.ts", import.meta.url);
  return middle(3, async () => {
    const read = await runInThread<{ rows: Carton["row"][] }>(module, { bytes, input, owner: "bench" });
    const made = read.rows.map((row, at) => ({
      row,
      carton: at + 1,
      cartonCount: count,
      sscc: "006141410000004171",
    }));
    if (made.length !== count) throw new Error(`${made.length} rows of ${count} were good.`);
    await ourPdf(made);
  });
}
