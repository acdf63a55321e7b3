import { expect, test } from "vitest";
import { barWidths } from "#formats/gs1/bar-code.ts";
import { LABEL_SIZE, RESOLUTIONS, toDots, type ResolutionName } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { readFontFile } from "#platform/fonts.ts";
import { drawTestPage } from "#features/labels/layout/test-page.ts";
import {
  collect,
  PAGE,
  PRINTERS,
  measureRuns,
  printedWidths,
  renderPages,
  type Raster,
} from "#formats/label/fixtures/rasters.ts";

const NAMES = ["203", "300", "600"] as const;

/** The test page as printed by a printer whose resolution may differ from the one set. */
async function printed(set: ResolutionName, printer: ResolutionName): Promise<Raster> {
  const own = drawTestPage(set, "pdf");
  const label = { common: { texts: [], rules: [], symbols: [] }, own, leftDots: 0, topDots: 0 };
  const pages = async function* () {
    yield [label];
  };
  const about = {
    title: "Test",
    resolution: RESOLUTIONS[set],
    page: PAGE,
    label: LABEL_SIZE,
    pages: pages(),
    fontFile: readFontFile,
  };
  const bytes = Buffer.concat(await collect(writePdf(about)));
  for await (const raster of renderPages(bytes, printer)) return raster;
  return expect.unreachable();
}

/** A line of dots across the page. @param y in points from its top */
function lineAt({ width, data }: Raster, y: number, printer: ResolutionName): Uint8Array {
  const row = toDots(y, PRINTERS[printer]);
  return data.subarray(row * width, (row + 1) * width);
}

/** Whether the stripes of a field, the first or a later one, are all equally wide. */
function isEven(raster: Raster, field: number, printer: ResolutionName): boolean {
  const dots = toDots(24 + 84 * field, PRINTERS[printer]);
  const line = lineAt(raster, 210, printer);
  const from = line.findIndex((dot, at) => at >= dots - 3 && dot < 250);
  const runs = measureRuns(line.subarray(from, from + toDots(68, PRINTERS[printer]))).slice(0, -1);
  return new Set(runs).size === 1;
}

test.each(NAMES)(
  "on a %s dpi printer the last field with even stripes names it, and the ruler is three inches long",
  async (printer) => {
    for (const set of NAMES) {
      const raster = await printed(set, printer);
      const even = NAMES.filter((_, field) => isEven(raster, field, printer));
      expect(even.at(-1)).toBe(printer);
      const line = [...lineAt(raster, 107, printer)];
      const marks = line.flatMap((dot, at) => (dot < 250 && (line[at - 1] ?? 255) >= 250 ? [at] : []));
      // Between the sides of the frame.
      const ruler = marks.slice(1, -1);
      expect(ruler.length).toBe(25);
      expect(
        Math.abs((ruler.at(-1) ?? 0) - (ruler[0] ?? 0) - 3 * PRINTERS[printer].dotsPerInch),
      ).toBeLessThan(1.5);
    }
    const own = drawTestPage(printer, "pdf");
    const [symbol] = own.symbols;
    if (!symbol) expect.unreachable();
    expect(printedWidths(await printed(printer, printer), symbol, printer)).toBe(barWidths(symbol));
  },
);
