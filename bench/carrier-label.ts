import { GifReader } from "omggif";
import { PDFDocument } from "pdf-lib";
import { PNG } from "pngjs";
import { drawUpright, toGif, turn } from "../src/formats/carrier-label/fixtures/sample-label.ts";
import { readTrackingNumber } from "../src/formats/carrier-label/read-tracking-number.ts";
import { writeLabelPages } from "../src/formats/carrier-label/write-label-pages.ts";
import { figure, info, report } from "./support/figures.ts";

/**
 * Label pictures of UPS as pages, compared with the usual libraries: a GIF of 1400 by 800 is decoded, turned, cropped, packed as PNG
 * and embedded. Then reading the number from the bars. Processor time of this process, the best of some runs.
 */
const LABELS = 40;
const FEW = 4;
const RUNS = 5;
const TARGETS = { times: 30, readMs: 10 };
const PAGE = { width: 288, height: 432 };

const NUMBER = "1Z1A2B3C0300000017";
const gif = toGif(turn(await drawUpright(NUMBER)));
const many = Array.from({ length: LABELS }, () => gif);

let ownBytes = 0;
const own = await best(LABELS, () => {
  ownBytes = 0;
  for (const piece of writeLabelPages(many, "Bench")) ownBytes += piece.length;
});
let libraryBytes = 0;
const libraries = await best(FEW, async () => {
  libraryBytes = await writeWithLibraries(many.slice(0, FEW));
});
const reading = await best(LABELS, () => {
  for (const each of many)
    if (readTrackingNumber(each) !== NUMBER) throw new Error("The number was not read.");
});

report("UPS label pictures of 1400 by 800", [
  info("GIF to a page of a PDF", `${own.toFixed(2)} ms`),
  info("  omggif, pngjs and pdf-lib", `${libraries.toFixed(0)} ms`),
  figure("times the libraries", libraries / own, { least: TARGETS.times, unit: "x" }),
  figure("number read from the bars", reading, { most: TARGETS.readMs, unit: "ms" }),
  info("bytes of a GIF", String(gif.length)),
  figure("bytes of a page", ownBytes / LABELS, { most: libraryBytes / FEW, unit: "B" }),
]);

async function writeWithLibraries(labels: readonly Buffer[]): Promise<number> {
  const document = await PDFDocument.create();
  for (const label of labels) {
    const reader = new GifReader(label);
    const [width, height] = [reader.width, reader.height];
    const rgba = new Uint8Array(4 * width * height);
    reader.decodeAndBlitFrameRGBA(0, rgba);
    const png = new PNG({ width: height, height: (height * 3) / 2 });
    const [from, to] = [new Uint32Array(rgba.buffer), new Uint32Array(png.data.buffer, png.data.byteOffset)];
    for (let row = 0; row < png.height; row += 1)
      for (let column = 0; column < png.width; column += 1)
        to[row * png.width + column] = from[(height - 1 - column) * width + row] ?? 0;
    const image = await document.embedPng(PNG.sync.write(png));
    document.addPage([PAGE.width, PAGE.height]).drawImage(image, { x: 0, y: 0, ...PAGE });
  }
  return (await document.save()).length;
}

/** Processor milliseconds of one label, in the best of some runs: the others had the machine less to themselves. */
async function best(count: number, work: () => void | Promise<void>): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000 / count);
  }
  return least;
}
