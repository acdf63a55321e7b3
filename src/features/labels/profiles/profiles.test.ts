import { expect, test } from "vitest";
import { countModules } from "#formats/gs1/bar-code.ts";
import { LABEL_SIZE, moduleMm, pointsToMm, RESOLUTIONS } from "#formats/label/drawing.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX, sampleCarton } from "#features/labels/fixtures/sample-row.ts";
import { createLayout } from "#features/labels/layout/draw.ts";
import { isField } from "#features/labels/layout/lines.ts";
import {
  bandsFor,
  lineHeights,
  linesRoom,
  symbolHeight,
  usualHeights,
} from "#features/labels/layout/zones.ts";
import { PROFILES } from "#features/labels/profiles/profiles.ts";
import { labelSheet } from "#features/labels/sheet.ts";
import type { Band, Condition } from "#features/labels/types.ts";

/** Every set of conditions that the labels of a profile may meet. */
function listConditions(bands: readonly Band[]): (readonly Condition[])[] {
  const columns = new Set(bands.flatMap(({ when }) => when ?? []));
  columns.delete("domestic");
  columns.delete("foreign");
  let sets: (readonly Condition[])[] = [["domestic"], ["foreign"]];
  for (const column of columns) sets = sets.flatMap((has) => [has, [...has, column]]);
  return sets;
}

/** GS1 requires 31.75 mm for an SSCC; US retailers half an inch for all others. */
const MIN_SSCC_MM = 31.75;
const MIN_SYMBOL_MM = 12.7;
const HEIGHT = LABEL_SIZE.height;

test("each profile has its own id and name", () => {
  expect(new Set(PROFILES.map(({ id }) => id)).size).toBe(PROFILES.length);
  expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length);
});

test.each(PROFILES.map((profile) => [profile.name, profile] as const))(
  "%s fills the label: zones in order and as wide as the label, known fields, barcodes of at least minimum size, the SSCC last",
  (_, { bands, required }) => {
    expect(required.filter((column) => !labelSheet.names.includes(column))).toEqual([]);
    for (const { zones } of bands) {
      expect(zones.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(LABEL_SIZE.width);
      for (const { title, lines = [], symbol } of zones) {
        const texts = [title, ...lines.map(({ caption = "", text }) => `${caption}${text}`)];
        expect(texts.filter((text) => unprintableIn(text) !== undefined)).toEqual([]);
        const fields = lines.flatMap(({ text }) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        expect(fields.filter((name) => !isField(name ?? ""))).toEqual([]);
        // Lines would be printed over the bars.
        if (symbol) expect(lines).toEqual([]);
        if (symbol)
          expect(pointsToMm(symbol.height)).toBeGreaterThanOrEqual(
            symbol.of === "sscc" ? MIN_SSCC_MM : MIN_SYMBOL_MM,
          );
      }
    }
    for (const has of listConditions(bands)) {
      const shown = bandsFor(bands, has);
      const letters = shown.flatMap(({ zones }) => zones.map(({ letter }) => letter));
      expect(letters).toEqual(letters.toSorted());
      expect(shown.filter(({ height }) => height === "rest")).toHaveLength(1);
      const symbols = shown.map(({ zones }) => zones.filter(({ symbol }) => symbol?.of === "sscc").length);
      expect([symbols.at(-1), symbols.reduce((sum, count) => sum + count, 0)]).toEqual([1, 1]);
      const heights = usualHeights(shown, HEIGHT);
      expect(heights.reduce((sum, height) => sum + height, 0)).toBeCloseTo(HEIGHT);
      for (const [at, band] of shown.entries()) {
        const height = heights[at] ?? 0;
        expect(height).toBeGreaterThanOrEqual(symbolHeight(band) - 0.01);
        // Few labels fill every line of a zone. A label that does and doesn't fit is refused with its row; this is
        // likeliest for international labels and those with several optional barcodes.
        if (has.includes("foreign") || has.length > 2) continue;
        for (const zone of band.zones)
          expect(linesRoom(zone, height)).toBeGreaterThanOrEqual(lineHeights(zone) * 0.6 - 0.01);
      }
    }
  },
);

test.each(PROFILES.map((profile) => [profile.name, profile] as const))(
  "%s prints a carton with something in every column, within the US and abroad, on every printer",
  (_, profile) => {
    for (const printer of Object.values(RESOLUTIONS))
      for (const country of ["US", "CA"] as const) {
        const sample = sampleCarton(country, profile.markForDigits);
        const isGln = profile.bands.some(({ zones }) => zones.some(({ symbol }) => symbol?.ai === "410"));
        const goods = { lot: "L24118", expiry: "2027-11-24", retailerData: "R7731", gtin: "061414100038" };
        const row = { ...sample.row, ...goods, ...(isGln ? { markFor: "0614141000012" } : {}) };
        const carton = { ...sample, row };
        const layout = createLayout(profile, printer);
        expect(layout.findSymbolFaults(carton.row)).toEqual([]);
        const { own } = layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX });
        const quiet = Math.max(10 * moduleMm(printer), profile.quietMm);
        for (const symbol of own.symbols)
          expect(countModules(symbol) * moduleMm(printer) + 2 * quiet).toBeLessThanOrEqual(
            pointsToMm(LABEL_SIZE.width),
          );
      }
  },
);
