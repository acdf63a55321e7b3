import { problemAt, remark, type Problem } from "#formats/table/problem.ts";
import { toRanges } from "#formats/text/phrases.ts";
import { labelSheet, type Field } from "#features/labels/sheet.ts";
import {
  NUMBER_FIELDS,
  orderKey,
  shipToKey,
  type LabelRow,
  type Profile,
  type TextField,
} from "#features/labels/types.ts";

/** Columns in which rows of one carton may differ: its items. */
const ITEM = ["item", "gtin", "model", "description"] as const satisfies readonly TextField[];
/** Columns that have no meaning on a label without its item. */
const BATCH = ["lot", "bestBefore", "expiry", "itemSerial"] as const satisfies readonly TextField[];
const CONTENT: ReadonlySet<string> = new Set([...ITEM, ...BATCH, "department", "reference"]);

/** Columns in which the rows of one carton agree, or are blank. */
const SHARED = labelSheet.names.filter(
  (field): field is TextField | "cartonCount" | "weight" =>
    field === "cartonCount" ||
    field === "weight" ||
    !(CONTENT.has(field) || NUMBER_FIELDS.includes(field as never)),
);

/** Groups rows of one carton: those of a purchase order, store and ship-to that have one carton number. */
export function groupCartons(rows: readonly LabelRow[]): LabelRow[][] {
  const numbered = new Map<string, LabelRow[]>();
  return rows.flatMap((row) => {
    if (row.carton === null) return [[row]];
    const key = [orderKey(row), shipToKey(row), row.carton].join("\n");
    const known = numbered.get(key);
    known?.push(row);
    if (known) return [];
    const started = [row];
    numbered.set(key, started);
    return [started];
  });
}

export const countCartons = (rows: readonly LabelRow[]): number =>
  groupCartons(rows).reduce((sum, [first]) => sum + (first?.cartons ?? 0), 0);

/** Merges rows of one carton. @param mixed text in place of the item of a carton with several */
export function mergeCarton(rows: readonly LabelRow[], mixed = "MIXED"): LabelRow {
  const [first] = rows;
  if (!first) throw new Error("A carton has no rows.");
  if (rows.length === 1) return first;
  const filled = SHARED.map((field) => [field, rows.map((row) => row[field]).find(isGiven) ?? first[field]]);
  return {
    ...first,
    ...Object.fromEntries(filled),
    ...mergeContent(rows, ["department", "reference"]),
    ...(hasSeveralItems(rows) ? { item: mixed } : {}),
    qty: rows.reduce((sum, { qty }) => sum + qty, 0),
  };
}

/**
 * Contents of rows of one label: blank where the rows differ. A blank cell of an item takes the value of its
 * other rows.
 * @param more columns besides those of items
 */
export function mergeContent(
  rows: readonly LabelRow[],
  more: readonly TextField[],
): Partial<Record<TextField, string>> {
  const several = hasSeveralItems(rows);
  const ofItem = ITEM.map((field) => {
    const [value = "", ...others] = several ? new Set(rows.map((row) => row[field])) : listGiven(rows, field);
    return [field, others.length === 0 ? value : ""];
  });
  const differing = [...BATCH, ...more].filter((field) => differs(rows, field));
  const blank = [...differing, ...(several ? BATCH : [])].map((field) => [field, ""]);
  return Object.fromEntries([...ofItem, ...blank]);
}

/** Tells items apart by GTIN and item number, and by model and description where rows lack both. */
function hasSeveralItems(rows: readonly LabelRow[]): boolean {
  const [gtins, items] = [listGiven(rows, "gtin"), listGiven(rows, "item")];
  if (gtins.size > 1 || items.size > 1) return true;
  if (rows.some(({ gtin, item }) => gtin === "" && item === ""))
    return listGiven(rows, "model").size > 1 || listGiven(rows, "description").size > 1;
  // No row says that this GTIN and this item number are of one item.
  return gtins.size + items.size > 1 && rows.every(({ gtin, item }) => gtin === "" || item === "");
}

const listGiven = (rows: readonly LabelRow[], field: TextField): Set<string> =>
  new Set(rows.map((row) => row[field]).filter(isGiven));

const differs = (rows: readonly LabelRow[], field: TextField) =>
  rows.some((row) => row[field] !== rows[0]?.[field]);

const isGiven = (value: string | number | null) => value !== "" && value !== null;

type Columns = Parameters<typeof problemAt>[0];

/**
 * Reports cartons whose rows contradict each other or whose label can't be printed, cartons of several rows,
 * and gaps in carton numbers.
 * @param checkLabel checks the label of several rows
 */
export function checkCartons(
  table: Columns,
  rows: readonly LabelRow[],
  checkLabel: (carton: readonly LabelRow[]) => readonly Problem[],
): Problem[] {
  const checked = groupCartons(rows)
    .filter((carton) => carton.length > 1)
    .map((carton) => {
      const contradiction = findContradiction(table, carton);
      return { carton, found: contradiction ? [contradiction] : checkLabel(carton) };
    });
  const good = checked.filter(({ found }) => found.length === 0).map(({ carton }) => carton);
  const [several, single] = [true, false].map((is) =>
    good.filter((carton) => hasSeveralItems(carton) === is),
  );
  return [
    ...checked.flatMap(({ found }) => found),
    ...noteCartons("cartons_mixed", several ?? []),
    ...noteCartons("cartons_summed", single ?? []),
    ...findGaps(table, rows),
  ];
}

/**
 * Reports a value that the label of a carton must have, or would have in a barcode, and lacks because the
 * rows differ.
 * @param about.merged the row of the label
 * @param about.listSymbolFields columns in the barcodes of a row's own label
 */
export function findLostValue(
  table: Columns,
  carton: readonly LabelRow[],
  {
    merged,
    profile,
    listSymbolFields,
  }: { merged: LabelRow; profile: Profile; listSymbolFields: (row: LabelRow) => Set<Field> },
): Problem | undefined {
  const own = carton.map((row) => ({ row, fields: listSymbolFields(row) }));
  const lost = [...ITEM, ...BATCH, "department" as const].find(
    (field) =>
      (profile.required.includes(field) && merged[field] === "") ||
      own.some(({ row, fields }) => fields.has(field) && row[field] !== merged[field]),
  );
  if (lost === undefined) return undefined;
  // Several items lose their lot even if it is the same: then their item is what differs.
  const field = [lost, ...ITEM].find((each) => differs(carton, each)) ?? lost;
  const first = carton.find((row) => row[field] !== "") ?? carton[0];
  const other = carton.find((row) => row[field] !== first?.[field]);
  if (!first || !other) return undefined;
  const needed = profile.required.includes(lost);
  const split = needed || field !== lost ? "split" : "blank";
  const cure = field === "description" || field === "department" ? "equal" : split;
  const { carton: number, poNumber, row } = other;
  const rows = [first.row, row].toSorted((a, b) => a - b);
  const params = { carton: number, poNumber, rows, first: first[field], profile: profile.name };
  return problemAt(
    table,
    { field, row },
    { code: "carton_needs_one", value: other[field], params: { ...params, needed: String(needed), cure } },
  );
}

function findContradiction(table: Columns, carton: readonly LabelRow[]): Problem | undefined {
  for (const field of SHARED) {
    const first = carton.find((row) => isGiven(row[field]));
    const other = first && carton.find((row) => isGiven(row[field]) && row[field] !== first[field]);
    if (!other) continue;
    const { row, carton: number, poNumber } = other;
    const params = { carton: number, poNumber, rows: [first.row, row], first: String(first[field]) };
    return problemAt(table, { field, row }, { code: "carton_differs", value: String(other[field]), params });
  }
  return undefined;
}

function noteCartons(code: "cartons_mixed" | "cartons_summed", cartons: readonly LabelRow[][]): Problem[] {
  const rows = cartons.flat().map(({ row }) => row);
  const [first] = rows;
  if (first === undefined) return [];
  const ranges = toRanges(rows.toSorted((a, b) => a - b));
  return [remark(code, first, { params: { count: cartons.length, ranges } })];
}

/** Reports carton numbers that an order skips; its rows without a number fill the first ones. */
function findGaps(table: Columns, rows: readonly LabelRow[]): Problem[] {
  return [...Map.groupBy(rows, orderKey).values()].flatMap((order) => {
    const given = order.flatMap(({ carton }) => carton ?? []).toSorted((a, b) => a - b);
    const [first] = order.filter(({ carton }) => carton !== null);
    if (!first) return [];
    const last = order.reduce((most, { cartonCount }) => Math.max(most, cartonCount ?? 0), given.at(-1) ?? 0);
    let unnumbered = order.reduce((sum, { carton, cartons }) => sum + (carton === null ? cartons : 0), 0);
    const gaps: number[] = [];
    let before = 0;
    for (const number of [...given, last + 1]) {
      const from = before + 1 + Math.min(unnumbered, Math.max(0, number - before - 1));
      unnumbered -= from - before - 1;
      if (from < number) gaps.push(from, number - 1);
      before = number;
    }
    if (gaps.length === 0) return [];
    const params = { store: first.markFor, last, gaps: gaps.slice(0, MAX_GAPS) };
    const found = { code: "cartons_missing", severity: "warning", value: first.poNumber, params } as const;
    return [problemAt(table, { field: "carton", row: first.row }, found)];
  });
}

/** Both ends of as many gaps as a sentence names, and one more. */
const MAX_GAPS = 12;

/**
 * Reports good rows that wait for a wrong one: of its carton, since a label never lacks part of its contents, and of its order if
 * we number their cartons.
 */
export function holdCartons(
  table: Columns,
  rows: readonly LabelRow[],
  problems: readonly Problem[],
): Problem[] {
  const wrong = new Set(problems.filter(({ severity }) => severity === "error").map(({ row }) => row));
  const hold = (code: string, waiting: readonly LabelRow[], others: readonly LabelRow[]): Problem[] => {
    const blocking = others.map(({ row }) => row).filter((row) => wrong.has(row));
    if (blocking.length === 0) return [];
    return waiting
      .filter(({ row }) => !wrong.has(row))
      .map(({ row, carton }) => {
        const found = { code, value: String(carton ?? ""), params: { rows: toRanges(blocking) } };
        return problemAt(table, { field: "carton", row }, found);
      });
  };
  return [
    ...groupCartons(rows).flatMap((carton) => hold("carton_held", carton, carton)),
    ...[...Map.groupBy(rows, orderKey).values()].flatMap((order) => {
      const unnumbered = order.filter(({ carton }) => carton === null);
      return hold("cartons_uncounted", unnumbered, order);
    }),
  ];
}
