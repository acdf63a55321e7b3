import { columnName } from "#formats/xlsx/cell-names.ts";
import type { Sheet, SheetRow } from "#formats/xlsx/workbook.ts";
import { isBlank, type Headers } from "#features/invoices/workbook/rules-headers.ts";
import { listOf, quote, rowRanges, type Problem } from "#features/invoices/workbook/rules-problems.ts";

/** More blank rows than this between two data rows look like a mistake. */
const LARGE_GAP = 200;

/** What a person should know about the rows as a whole; nothing here stops an invoice. */
export function remarksOnRows(
  sheet: Sheet,
  headers: Headers,
  { data, samples, repeats, totals }: Record<"data" | "samples" | "repeats" | "totals", readonly SheetRow[]>,
): Problem[] {
  const context = { sheet, headers };
  const told = inOrder([...data, ...repeats, ...totals]);
  return [
    ...remarkOn(context, { code: "sample_rows", rows: samples, what: "from the template and skipped" }),
    ...remarkOn(context, { code: "header_rows", rows: repeats, what: "the headers again and skipped" }),
    ...totalRows(context, totals),
    ...remarkOn(context, {
      code: "hidden_rows",
      rows: data.filter((row) => row.hidden),
      what: "hidden in Excel and read all the same",
    }),
    ...hiddenColumns(context),
    ...namelessColumns(context, data),
    ...strayRows(context, told),
    ...blankRows(context, told),
    ...mergedCells(context),
  ];
}

const inOrder = (rows: readonly SheetRow[]) => rows.toSorted((one, other) => one.number - other.number);

function totalRows(context: Context, rows: readonly SheetRow[]): Problem[] {
  const what = rows.length === 1 ? "a total and skipped" : "totals and skipped";
  return remarkOn(context, { code: "total_rows", rows, what });
}

type Context = { sheet: Sheet; headers: Headers };

function remarkOn(
  context: Context,
  { code, rows, what }: { code: string; rows: readonly SheetRow[]; what: string },
): Problem[] {
  const first = rows[0];
  if (!first) return [];
  const are =
    rows.length === 1 ? `Row ${first.number} is` : `Rows ${rowRanges(rows.map((row) => row.number))} are`;
  return [remark(context, { code, row: first.number, text: `${are} ${what}.` })];
}

function remark(
  { sheet, headers }: Context,
  { code, row, text }: { code: string; row: number; text: string },
): Problem {
  const header = headers.columns[0]?.header ?? "";
  return { sheet: sheet.name, cell: `A${row}`, row, header, severity: "warning", code, value: "", text };
}

function hiddenColumns({ sheet, headers }: Context): Problem[] {
  const hidden = headers.columns.filter(({ index }) => sheet.hiddenColumns.includes(index));
  if (hidden.length === 0) return [];
  const names = listOf(hidden.map(({ header, index }) => `${columnName(index)} (${quote(header)})`));
  const text = `${hidden.length === 1 ? `Column ${names} is` : `Columns ${names} are`} hidden in Excel and read all the same.`;
  return [remark({ sheet, headers }, { code: "hidden_columns", row: headers.row, text })];
}

/** Values below an empty header cell belong to no column. */
function namelessColumns({ sheet, headers }: Context, data: readonly SheetRow[]): Problem[] {
  const header = sheet.rows.find(({ number }) => number === headers.row)?.cells ?? [];
  const nameless = new Set<number>();
  for (const { cells } of data)
    for (const [index, cell] of cells.entries())
      if (!isBlank(cell) && isBlank(header[index])) nameless.add(index);
  if (nameless.size === 0) return [];
  const names = [...nameless].toSorted((a, b) => a - b).map(columnName);
  const text =
    names.length === 1
      ? `Column ${names[0]} has no header, and what it holds is ignored.`
      : `Columns ${listOf(names)} have no headers, and what they hold is ignored.`;
  return [remark({ sheet, headers }, { code: "nameless_columns", row: headers.row, text })];
}

function strayRows({ sheet, headers }: Context, data: readonly SheetRow[]): Problem[] {
  const known = new Set(data.map((row) => row.number));
  const isNotBlank = (row: SheetRow) => row.cells.some((cell) => !isBlank(cell));
  const stray = sheet.rows.filter(
    (row) => row.number > headers.row && !known.has(row.number) && isNotBlank(row),
  );
  return remarkOn(
    { sheet, headers },
    { code: "stray_rows", rows: stray, what: "ignored: nothing there stands in a known column" },
  );
}

function blankRows(context: Context, data: readonly SheetRow[]): Problem[] {
  let previous = context.headers.row;
  let gaps = 0;
  let largest = { size: 0, from: 0 };
  for (const row of data) {
    const size = row.number - previous - 1;
    gaps += size;
    if (size > largest.size) largest = { size, from: previous + 1 };
    previous = row.number;
  }
  if (gaps === 0) return [];
  const rows =
    gaps === 1
      ? `Row ${largest.from} is blank`
      : `${gaps.toLocaleString("en-US")} blank rows stand between the rows`;
  const warning =
    largest.size > LARGE_GAP
      ? ` Rows ${largest.from}-${largest.from + largest.size - 1} are blank in one piece: check that nothing is missing.`
      : "";
  return [
    remark(context, {
      code: "blank_rows",
      row: largest.from,
      text: `${rows}; blank rows are skipped.${warning}`,
    }),
  ];
}

function mergedCells({ sheet, headers }: Context): Problem[] {
  const below = sheet.merges.filter((range) => Number(/\d+$/.exec(range)?.[0] ?? 0) > headers.row);
  const first = below[0];
  if (!first) return [];
  const row = Math.max(headers.row + 1, Number(/\d+/.exec(first)?.[0] ?? 1));
  const ranges =
    below.length > 3 ? `${below.slice(0, 3).join(", ")} and ${below.length - 3} more` : listOf(below);
  const text = `${below.length === 1 ? `Range ${ranges} is` : `Ranges ${ranges} are`} merged: the value counts for the first row and column only.`;
  return [remark({ sheet, headers }, { code: "merged_cells", row, text })];
}
