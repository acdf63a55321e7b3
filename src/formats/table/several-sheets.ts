import { numberRow, sheetIndex, type SheetNames } from "../text/sheet-rows.ts";
import type { CellValue, Sheet, SheetRow } from "../xlsx/workbook.ts";
import { FileRefused } from "../facts.ts";
import { decimalToFixed, formatCents, toCents } from "./amounts.ts";
import type { Column, ColumnChoices } from "./column.ts";
import type { DateOrder } from "./dates.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, headerText, isBlank } from "./header-text.ts";
import { ownColumn } from "./headings.ts";
import { cellPlace, SHEETS_READ } from "./places.ts";
import { remark, type Problem } from "./problem.ts";
import { showCell } from "./texts.ts";

/** A sheet as it is read by itself. */
export type SheetTable<F extends string> = {
  kind: SheetKind<F>;
  sheet: string;
  headerRow: number;
  formedOf: Sheet["formedOf"];
  /** Cells of the header row. */
  headers: readonly (CellValue | undefined)[];
  columns: Column<F>[];
  furtherLines: Column<F>[][];
  rows: SheetRow[];
  notes: Problem[];
};

/** For each sheet with formed or reordered columns: the place of each column in the sheet itself. */
export type OwnColumns = ReadonlyMap<number, readonly number[]>;

/** Sheets read together: rows are numbered through the workbook, columns are ordered as in the first sheet. */
export type JoinedTable<F extends string> = SheetTable<F> & { sheets: SheetNames; ownColumns: OwnColumns };

type Lines = { columns: readonly Column[]; furtherLines: readonly (readonly Column[])[] };

/** Equal for sheets whose headers mean the same fields, in whatever order. */
export const fieldsKey = ({ columns, furtherLines }: Lines): string =>
  [columns, ...furtherLines]
    .map((line) =>
      line
        .map(({ field }) => field)
        .toSorted()
        .join(),
    )
    .join(";");

/** Key of the choice to skip a sheet; no key of a header has such a mark. */
export const sheetKey = (name: string): string => `${SHEET_KEYS}${name.trim().toLowerCase()}`;
const SHEET_KEYS = "sheet!";
export const isSheetKey = (key: string): boolean => key.startsWith(SHEET_KEYS);

/** Leaves out sheets that users chose not to read; where none would be left, all are read. */
export function chosenSheets<C extends { sheet: Sheet }>(
  candidates: readonly C[],
  chosen: ColumnChoices | undefined,
): readonly C[] {
  const kept = candidates.filter(({ sheet }) => chosen?.get(sheetKey(sheet.name)) !== "ignore");
  return kept.length === 0 ? candidates : kept;
}

/** Joins sheets of the same fields. @param places of the sheets in their workbook */
export function joinSheets<F extends string>(
  tables: readonly SheetTable<F>[],
  places: readonly number[],
): JoinedTable<F> {
  const [first] = tables;
  if (!first) throw new Error("No sheet to read.");
  const headers = [...first.headers];
  const ownColumns = new Map<number, readonly number[]>();
  const rows = tables.flatMap((table, at) => {
    const place = places[at] ?? 0;
    const target = at === 0 || isLaidOutLike(table, first) ? null : mapColumns(table, first, headers);
    if (target || table.formedOf) ownColumns.set(place, mapToOwnColumns(table, target));
    return place === 0 && !target ? table.rows : table.rows.map((row) => moveRow(row, place, target));
  });
  const names: string[] = [];
  tables.forEach(({ sheet }, at) => (names[places[at] ?? 0] = sheet));
  const sheets = tables.length > 1 ? Array.from(names, (name) => name ?? "") : [];
  const headerRow = numberRow(places[0] ?? 0, first.headerRow);
  const notes = joinNotes(tables, places);
  if (sheets.length > 0)
    notes.unshift({ ...remark(SHEETS_READ, headerRow, { params: { sheets } }), severity: "info" });
  return { ...first, headers, headerRow, rows, notes, sheets, ownColumns };
}

/** Names a cell of a table as users find it. */
export function cellIn(
  { ownColumns, sheets }: { ownColumns: OwnColumns; sheets: SheetNames },
  column: number,
  row: number,
): string {
  return cellPlace(ownColumns.get(sheetIndex(row))?.[column] ?? column, row, sheets);
}

/** The rows to be read. `rows` are those with a value in a known column, samples of the template left out. */
export type Table<F extends string = string> = JoinedTable<F> & {
  /** Plain numbers count days from 1904, not from 1900. */
  date1904: boolean;
  /** The order of day and month that the file's dates prove, by field. */
  provenOrders: ReadonlyMap<F, DateOrder>;
};

/** A problem with the place that its column has in its own sheet. */
export function inOwnColumn({ ownColumns }: { ownColumns: OwnColumns }, problem: Problem): Problem {
  if (ownColumns.size === 0 || problem.column === null) return problem;
  const own = ownColumns.get(sheetIndex(problem.row));
  return own ? { ...problem, column: own[problem.column] ?? problem.column } : problem;
}

const isLaidOutLike = <F extends string>(a: SheetTable<F>, b: SheetTable<F>): boolean =>
  Array.from({ length: Math.max(a.headers.length, b.headers.length) }).every(
    (_, index) => headerText(a.headers[index]) === headerText(b.headers[index]),
  );

/**
 * The place of each column of a sheet among those of the first one, to which columns that only it has are added.
 * @param headers of the first sheet; grows
 */
function mapColumns<F extends string>(
  table: SheetTable<F>,
  first: SheetTable<F>,
  headers: (CellValue | undefined)[],
): number[] {
  const places = new Map<number, number>();
  const lines = [table.columns, ...table.furtherLines];
  const firstLines = [first.columns, ...first.furtherLines];
  lines.forEach((line, at) => {
    for (const { field, index } of line) {
      const like = firstLines[at]?.find((column) => column.field === field);
      if (like) places.set(index, like.index);
    }
  });
  const taken = new Set([...firstLines.flat().map(({ index }) => index), ...places.values()]);
  return Array.from({ length: measureWidth(table) }, (_, index) => {
    const known = places.get(index);
    if (known !== undefined) return known;
    const header = table.headers[index];
    const key = headerKey(headerText(header));
    const like = headers.findIndex(
      (other, at) => !taken.has(at) && key !== "" && headerKey(headerText(other)) === key,
    );
    const place = like === -1 ? Math.max(headers.length, measureWidth(first)) : like;
    if (like === -1) headers[place] = header;
    taken.add(place);
    return place;
  });
}

const measureWidth = <F extends string>({ rows, headers }: SheetTable<F>): number =>
  rows.reduce((widest, { cells }) => Math.max(widest, cells.length), headers.length);

function mapToOwnColumns<F extends string>(
  { formedOf, headers }: SheetTable<F>,
  target: readonly number[] | null,
): number[] {
  const own: number[] = [];
  (target ?? headers.map((_, index) => index)).forEach(
    (place, index) => (own[place] = ownColumn({ formedOf }, index)),
  );
  return own;
}

function moveRow(row: SheetRow, place: number, target: readonly number[] | null): SheetRow {
  const number = numberRow(place, row.number);
  if (!target) return { ...row, number };
  const cells: SheetRow["cells"] = [];
  row.cells.forEach((cell, index) => {
    if (cell !== undefined) cells[target[index] ?? index] = cell;
  });
  return { ...row, number, cells: Array.from(cells) };
}

/** Merges the remarks of all sheets: shared ones appear once, ignored money is summed. */
function joinNotes<F extends string>(tables: readonly SheetTable<F>[], places: readonly number[]): Problem[] {
  const all = tables.flatMap(({ notes, sheet }, at) =>
    notes.map((note) => ({ sheet, note: { ...note, row: numberRow(places[at] ?? 0, note.row) } })),
  );
  if (tables.length === 1) return all.map(({ note }) => note);
  const groups = Map.groupBy(all, ({ note }) => {
    const { code, row, value, params } = note;
    if (code === "money_ignored") return JSON.stringify([code, headerKey(value)]);
    // The totals of a sheet are shown on the receipt with its name, though another sheet may have the same.
    return JSON.stringify([code, value, params, code === "file_totals" ? row : null]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { note } = first;
    if (note.code === "money_ignored") return [addSums(group.map((each) => each.note))];
    const isAboutAll = note.column !== null || group.length === tables.length;
    return [
      isAboutAll ? note : { ...note, params: { ...note.params, onSheets: group.map(({ sheet }) => sheet) } },
    ];
  });
}

function addSums(notes: readonly Problem[]): Problem {
  const [first] = notes;
  if (!first) throw new Error("Nothing to add.");
  const sums = notes.map(({ params }) => decimalToFixed(String(params["sum"] ?? ""), 5));
  const total = sums.reduce<bigint>((all, sum) => all + (sum ?? 0n), 0n);
  const sum = sums.every((each) => each === undefined) ? null : formatCents(toCents(total));
  return { ...first, params: { ...first.params, sum } };
}

/** A record that two sheets have: its number, or the row of the second one. */
export type Overlap = { first: string; second: string; name: string; row: number; header: string };

/** Finds sheets that repeat records of others, as one of a whole year does those of its months. */
export function findOverlaps<F extends string>({ kind, columns, rows, sheets }: JoinedTable<F>): Overlap[] {
  const { grouping } = kind;
  if (!grouping || sheets.length === 0) return [];
  const indexOf = (field: F) => columns.find((column) => column.field === field)?.index ?? -1;
  const key = indexOf(grouping.key);
  const starts = grouping.starts.map(indexOf).filter((index) => index >= 0);
  const sheetsOf = new Map<string, number[]>();
  const found = new Map<string, Overlap>();
  for (const { number, cells } of rows) {
    const own = sheetIndex(number);
    const name = showText(cells[key]);
    const isWhole = name !== "" || starts.every((index) => !isBlank(cells[index]));
    if (!isWhole) continue;
    const record = name || JSON.stringify(columns.map(({ index }) => showText(cells[index])));
    const others = sheetsOf.get(record) ?? [];
    if (others.includes(own)) continue;
    sheetsOf.set(record, [...others, own]);
    for (const other of others) {
      if (found.has(`${other} ${own}`)) continue;
      const [first, second] = [sheets[other] ?? "", sheets[own] ?? ""];
      const row = number - numberRow(own, 0);
      found.set(`${other} ${own}`, { first, second, name, row, header: kind.fields[grouping.key].header });
    }
  }
  return [...found.values()];
}

/**
 * Refuses sheets that repeat each other: read together, their records would be billed twice.
 * @throws FileRefused code `sheets_overlap`
 */
export function refuseOverlap<F extends string>(table: JoinedTable<F>): void {
  const [first] = findOverlaps(table);
  if (first) throw new FileRefused("sheets_overlap", first);
}

const showText = (cell: CellValue | undefined): string => (cell === undefined ? "" : showCell(cell).trim());
