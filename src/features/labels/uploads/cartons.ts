import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  countCartons,
  groupCartons,
  mergeCarton,
  mergeContent,
} from "#features/labels/read-sheet/mixed-cartons.ts";
import { orderKey, shipToKey, type Carton, type LabelRow, type TextField } from "#features/labels/types.ts";

/** Groups the cartons of one pallet, which all have one destination. */
const palletKey = (row: LabelRow) => `${row.pallet}\n${shipToKey(row)}`;

const onPallets = (rows: readonly LabelRow[]): Map<string, LabelRow[]> =>
  Map.groupBy(
    rows.filter(({ pallet }) => pallet !== ""),
    palletKey,
  );

/** Counts the labels of rows: one per carton and one per pallet. */
export const countLabels = (rows: readonly LabelRow[]): number => countCartons(rows) + onPallets(rows).size;

/**
 * Expands rows to one carton per label, with pallets after them. Numbers and counts the cartons of one
 * purchase order and store unless the sheet does; a number from the sheet stays with its row.
 * @param mixed text in place of the item of a carton with several
 */
export function expandRows(read: readonly LabelRow[], mixed?: string): Carton[] {
  const rows = groupCartons(read).map((carton) => mergeCarton(carton, mixed));
  const orders = new Map<string, { count: number; last: number; given: Set<number> }>();
  for (const row of rows) {
    const order = orders.get(orderKey(row)) ?? { count: 0, last: 0, given: new Set() };
    order.count += row.cartons;
    if (row.carton !== null) order.given.add(row.carton);
    orders.set(orderKey(row), order);
  }
  const cartons = rows.flatMap((row): Carton[] => {
    const { carton, cartonCount, sscc } = row;
    if (carton !== null) return [{ row, carton, cartonCount, sscc }];
    const order = orders.get(orderKey(row)) ?? { count: 0, last: 0, given: new Set() };
    return Array.from({ length: row.cartons }, () => {
      do order.last += 1;
      while (order.given.has(order.last));
      return { row, carton: order.last, cartonCount: cartonCount ?? order.count, sscc };
    });
  });
  return [...cartons, ...[...onPallets(rows).values()].map(toPallet)];
}

/** Columns besides those of items that stay blank on a mixed pallet where they differ. */
const PALLET_FIELDS = [
  "markFor",
  "markForName",
  "department",
  "poType",
] as const satisfies readonly TextField[];

function toPallet(rows: readonly LabelRow[]): Carton {
  const [first] = rows;
  if (!first) throw new Error("A pallet has no cartons.");
  const isSame = (field: TextField) => rows.every((row) => row[field] === first[field]);
  const cartonCount = rows.reduce((sum, { cartons }) => sum + cartons, 0);
  const row: LabelRow = {
    ...first,
    ...mergeContent(rows, PALLET_FIELDS),
    poNumber: isSame("poNumber") ? first.poNumber : "MIXED",
    qty: rows.reduce((sum, { qty, cartons }) => sum + qty * cartons, 0),
    cartons: 1,
    carton: null,
    cartonCount: null,
    weight: null,
    sscc: "",
    itemSerial: "",
  };
  return { row, carton: null, cartonCount, sscc: "" };
}

/** Rows that are hashed before other work has its turn: about 5 ms. */
const ROWS_PER_YIELD = 200;

/** Hash that is the same for the same rows in the same order, wherever they are in their file. */
export async function fingerprintRows(rows: readonly LabelRow[], profile: string): Promise<string> {
  const hash = createHash("sha256").update(profile);
  for (const [at, { row: _, ...content }] of rows.entries()) {
    // Thousands of rows take longer than other requests may wait.
    if (at % ROWS_PER_YIELD === 0) await setImmediate();
    // Blank cells are left out, so that a column added in a later version does not change the hash of
    // existing rows.
    const filled = Object.entries(content).filter(([, value]) => value !== "" && value !== null);
    hash.update(JSON.stringify(filled.toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }
  return hash.digest("hex");
}
