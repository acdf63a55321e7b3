import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import type { Column } from "./column.ts";
import { isDate } from "./dates.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { headerKey } from "./header-text.ts";
import { isNothing } from "./placeholders.ts";
import { cleanText, showCell } from "./texts.ts";

/** Value of rows with a later revision in the same record; shown to users and stored with their answers. */
const REPLACED = "replaced by a later one";

const HEADER = /(?<!p)rev(?:ision)?(?:no|nr|num|number|code|level)?$|version$|amendment$/;
/** "Rev A", "v2", "R1", or a letter or number alone under such a header. */
const REVISION =
  /^(?:(rev(?:ision)?|ver(?:sion)?|amendment)(?![a-z])|[vr](?=[ .#-]?\d))?[ .:#-]*([a-z]|\d{1,3}(?:\.\d{1,3})?)$/i;

type OfColumn = {
  index: number;
  header: string;
  columns: readonly Column[];
  /** The first row of the record of each row. */
  records: () => ReadonlyMap<number, number>;
};

/**
 * Finds rows of a record that a later revision of the same line may replace; all rows of such a revision. Lines are the
 * same if they agree in all but numbers that are billed, and dates.
 * @returns their value by row; null if there are none
 */
export function findReplaced(
  kind: SheetKind,
  rows: readonly SheetRow[],
  { index, header, columns, records }: OfColumn,
): Map<number, string> | null {
  if (!holdsRevisions(rows, index, headerKey(header))) return null;
  const recordOf = records();
  const found = new Map<number, string>();
  for (const record of Map.groupBy(rows, ({ number }) => recordOf.get(number) ?? number).values()) {
    const byRevision = Map.groupBy(record, ({ cells }) => readRevision(cells[index]));
    if (byRevision.size < 2) continue;
    const lineOf = compareLines(kind, record, { index, columns });
    const seen = new Set<string>();
    for (const [, those] of [...byRevision].toSorted(([a], [b]) => ORDER.compare(b, a))) {
      const lines = those.map(lineOf);
      if (lines.some((line) => seen.has(line))) for (const { number } of those) found.set(number, REPLACED);
      for (const line of lines) seen.add(line);
    }
  }
  return found.size > 0 ? found : null;
}

const ORDER = new Intl.Collator("en", { numeric: true });

/** Whether all that a column has are revisions, and it has several. */
function holdsRevisions(rows: readonly SheetRow[], index: number, key: string): boolean {
  const isNamed = HEADER.test(key);
  const revisions = new Set<string>();
  for (const { cells } of rows) {
    const cell = cells[index];
    const found = isNothing(cell) ? null : REVISION.exec(cleanText(showCell(cell)));
    if (!isNothing(cell) && !(found && (isNamed || found[1]))) return false;
    revisions.add(readRevision(cell));
  }
  return revisions.size > 1;
}

/** Its letter or number; the first one often has none. */
const readRevision = (cell: CellValue | undefined): string =>
  cell === undefined || isNothing(cell)
    ? ""
    : (REVISION.exec(cleanText(showCell(cell)))?.[2] ?? "").toUpperCase();

/** Reads what distinguishes a line from others of its record. */
function compareLines(
  kind: SheetKind,
  record: readonly SheetRow[],
  { index, columns }: Pick<OfColumn, "index" | "columns">,
): (row: SheetRow) => string {
  const width = Math.max(...record.map(({ cells }) => cells.length));
  const isCompared = (at: number): boolean => {
    const field = columns.find((column) => column.index === at)?.field;
    if (field === undefined) return record.every(({ cells }) => !isNothing(cells[at]) && !isDate(cells[at]));
    const rule = kind.fields[field];
    return rule?.level === "row" && rule.type !== "date" && !NUMBER_TYPES.has(rule.type);
  };
  const compared = Array.from({ length: width }, (_, at) => at).filter(
    (at) => at !== index && isCompared(at),
  );
  return ({ cells }) =>
    JSON.stringify(compared.map((at) => cleanText(showCell(cells[at] ?? "")).toLowerCase()));
}
