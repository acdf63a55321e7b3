import { createHash } from "node:crypto";
import { orderKeyOf, type LabelRow } from "#features/labels/sheet/rules-row.ts";

/** A carton that may not have its number yet: "". */
export type UnnumberedCarton = {
  row: LabelRow;
  carton: number | null;
  cartonCount: number | null;
  sscc: string;
};

/**
 * One carton for each label. Cartons of one purchase order and store are numbered and counted where the sheet does not
 * say it; numbers that it gives are left to the rows that have them.
 */
export function expandRows(rows: readonly LabelRow[]): UnnumberedCarton[] {
  const orders = new Map<string, Order>();
  for (const row of rows) {
    const order = orders.get(orderKeyOf(row)) ?? { count: 0, last: 0, given: new Set<number>() };
    order.count += row.cartons;
    if (row.carton !== null) order.given.add(row.carton);
    orders.set(orderKeyOf(row), order);
  }
  return rows.flatMap((row) => {
    if (row.carton !== null)
      return [{ row, carton: row.carton, cartonCount: row.cartonCount, sscc: row.sscc }];
    const order = orders.get(orderKeyOf(row));
    return Array.from({ length: row.cartons }, () => ({
      row,
      carton: order ? nextPlace(order) : null,
      cartonCount: row.cartonCount ?? order?.count ?? null,
      sscc: row.sscc,
    }));
  });
}

/** Cartons of one purchase order and store: how many, the last number that was given by us, and those of the sheet. */
type Order = { count: number; last: number; given: Set<number> };

function nextPlace(order: Order): number {
  do order.last += 1;
  while (order.given.has(order.last));
  return order.last;
}

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
