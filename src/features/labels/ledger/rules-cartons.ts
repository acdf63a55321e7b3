import { createHash } from "node:crypto";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** A carton that may not have its number yet: "". */
export type UnnumberedCarton = {
  row: LabelRow;
  carton: number | null;
  cartonCount: number | null;
  sscc: string;
};

/** One carton for each label. Cartons of one purchase order and store are counted where the sheet does not say it. */
export function expandRows(rows: readonly LabelRow[]): UnnumberedCarton[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + row.cartons);
  const places = new Map<string, number>();
  return rows.flatMap((row) => {
    const key = keyOf(row);
    return Array.from({ length: row.cartons }, () => {
      const place = (places.get(key) ?? 0) + 1;
      places.set(key, place);
      if (row.carton !== null)
        return { row, carton: row.carton, cartonCount: row.cartonCount, sscc: row.sscc };
      const cartonCount = row.cartonCount ?? counts.get(key) ?? null;
      return { row, carton: place, cartonCount, sscc: row.sscc };
    });
  });
}

const keyOf = ({ poNumber, markFor }: LabelRow) => `${poNumber}\n${markFor}`;

/** Equal for equal rows in the same order, wherever they are in their file. */
export function fingerprintOf(rows: readonly LabelRow[], profile: string): string {
  const hash = createHash("sha256").update(profile);
  for (const { row: _, ...content } of rows) {
    // Blank cells do not count, so that columns of a later version leave the rows of today as they are.
    const filled = Object.entries(content).filter(([, value]) => value !== "" && value !== null);
    hash.update(JSON.stringify(filled.toSorted(([one], [other]) => (one < other ? -1 : 1))));
  }
  return hash.digest("hex");
}
