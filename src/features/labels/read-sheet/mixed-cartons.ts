import { problemAt, remark, type Problem } from "#formats/table/problem.ts";
import { toRanges } from "#formats/text/phrases.ts";
import { labelSheet } from "#features/labels/sheet.ts";
import { NUMBER_FIELDS, orderKey, type LabelRow, type TextField } from "#features/labels/types.ts";

/** Columns in which rows of one carton may differ: its items. */
const ITEM = ["item", "gtin", "model", "description"] as const satisfies readonly TextField[];
/** Columns that have no meaning on a label without its item. */
const BATCH = ["lot", "bestBefore", "expiry", "itemSerial"] as const satisfies readonly TextField[];
const CONTENT: ReadonlySet<string> = new Set([...ITEM, ...BATCH, "department", "reference"]);

/** Columns in which the rows of one carton agree, or are blank. */
const SHARED = labelSheet.names.filter(
  (field): field is TextField | "cartonCount" =>
    field === "cartonCount" || !(CONTENT.has(field) || NUMBER_FIELDS.includes(field as never)),
);

/** Groups rows of one carton: those of a purchase order and store that have one carton number. */
export function groupCartons(rows: readonly LabelRow[]): LabelRow[][] {
  const numbered = new Map<string, LabelRow[]>();
  return rows.flatMap((row) => {
    if (row.carton === null) return [[row]];
    const key = `${orderKey(row)}\n${row.carton}`;
    const known = numbered.get(key);
    known?.push(row);
    if (known) return [];
    const started = [row];
    numbered.set(key, started);
    return [started];
  });
}

/** Merges rows of one carton. @param mixed text in place of the item of a carton with several */
export function mergeCarton(rows: readonly LabelRow[], mixed: string): LabelRow {
  const [first] = rows;
  if (!first) throw new Error("A carton has a row.");
  if (rows.length === 1) return first;
  const filled = SHARED.map((field) => [field, rows.map((row) => row[field]).find(isGiven) ?? first[field]]);
  const weights = new Set(rows.map(({ weight }) => weight));
  return {
    ...first,
    ...Object.fromEntries(filled),
    ...blankContent(rows, ["department", "reference"]),
    ...(hasSeveralItems(rows) ? { item: mixed } : {}),
    qty: rows.reduce((sum, { qty }) => sum + qty, 0),
    weight: weights.size === 1 ? first.weight : null,
  };
}

/** Blanks for columns that differ among rows of one label. @param more columns besides those of items */
export function blankContent(
  rows: readonly LabelRow[],
  more: readonly TextField[],
): Partial<Record<TextField, "">> {
  const differing = [...ITEM, ...BATCH, ...more].filter((field) => differs(rows, field));
  const batch = hasSeveralItems(rows) ? BATCH : [];
  return Object.fromEntries([...differing, ...batch].map((field) => [field, ""]));
}

const hasSeveralItems = (rows: readonly LabelRow[]) => ITEM.some((field) => differs(rows, field));

const differs = (rows: readonly LabelRow[], field: TextField) =>
  rows.some((row) => row[field] !== rows[0]?.[field]);

const isGiven = (value: string | number | null) => value !== "" && value !== null;

type Columns = Parameters<typeof problemAt>[0];

/** Reports cartons whose rows contradict each other, cartons with mixed contents, and gaps in carton numbers. */
export function checkCartons(table: Columns, rows: readonly LabelRow[]): Problem[] {
  const shared = groupCartons(rows).filter((carton) => carton.length > 1);
  const contradictory = shared.flatMap((carton) => findContradiction(table, carton) ?? []);
  return [...contradictory, ...noteMixed(shared), ...findGaps(table, rows)];
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

function noteMixed(cartons: readonly LabelRow[][]): Problem[] {
  const rows = cartons.flat().map(({ row }) => row);
  const [first] = rows;
  if (first === undefined) return [];
  const ranges = toRanges(rows.toSorted((one, other) => one - other));
  return [remark("cartons_mixed", first, { params: { count: cartons.length, ranges } })];
}

/** Reports carton numbers that an order skips; its rows without a number fill the first ones. */
function findGaps(table: Columns, rows: readonly LabelRow[]): Problem[] {
  return [...Map.groupBy(rows, orderKey).values()].flatMap((order) => {
    const given = order.flatMap(({ carton }) => carton ?? []).toSorted((one, other) => one - other);
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

/** Reports good rows of cartons of which another row is wrong: a label never lacks part of its contents. */
export function holdCartons(
  table: Columns,
  rows: readonly LabelRow[],
  problems: readonly Problem[],
): Problem[] {
  const wrong = new Set(problems.filter(({ severity }) => severity === "error").map(({ row }) => row));
  return groupCartons(rows).flatMap((carton) => {
    const blocking = carton.map(({ row }) => row).filter((row) => wrong.has(row));
    if (blocking.length === 0) return [];
    return carton
      .filter(({ row }) => !wrong.has(row))
      .map(({ row, carton: number }) => {
        const params = { rows: toRanges(blocking) };
        return problemAt(
          table,
          { field: "carton", row },
          { code: "carton_held", value: String(number), params },
        );
      });
  });
}
