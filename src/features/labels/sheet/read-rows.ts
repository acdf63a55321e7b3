import { readRow } from "#formats/table/cells.ts";
import { findTable, type Table } from "#formats/table/columns.ts";
import { voteColumns, refuseUnclearDates } from "#formats/table/date-order.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";
import { problemAt, type Found, type Problem } from "#formats/table/problem.ts";
import { refuseSwappedDates } from "#formats/table/swapped-dates.ts";
import { RESOLUTIONS, type ResolutionName } from "#formats/label/drawing.ts";
import { openFile } from "#features/sheets/reading.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { createLayout, type Layout } from "#features/labels/layout/rules-layout.ts";
import type { SymbolFault } from "#features/labels/layout/rules-symbols.ts";
import type { Profile } from "#features/labels/layout/rules-profiles.ts";
import { readLabelRow, type LabelRow, type RowRules } from "#features/labels/sheet/rules-row.ts";
import { labelSheet, type Field } from "#features/labels/sheet/rules-sheet.ts";

/** A file of labels, and what of the company it is checked against. */
export type ToRead = {
  fileName: string;
  chosen: ColumnChoices;
  dateOrder: WrittenOrder | null;
  profile: Profile;
  resolution: ResolutionName;
  prefixes: readonly string[];
  shipFroms: readonly string[];
  today: string;
};

/** Good rows, everything that must be said of the file, and how many rows it has. */
export type ReadRows = { rows: LabelRow[]; problems: Problem[]; total: number };

/**
 * Reads a sheet of labels and checks every cell of it. Runs in a thread of its own.
 * @throws FileRefused for a file that cannot be read as one
 */
export function run(bytes: Uint8Array, { fileName, chosen, dateOrder, ...about }: ToRead): ReadRows {
  const table = findTable(labelSheet, openFile(bytes, fileName), chosen);
  refuseSwappedDates(table);
  refuseUnclearDates(table, dateOrder);
  const votes = voteColumns(table, dateOrder);
  const orders = new Map(votes.map(({ field, order }) => [field, order]));
  const cellRules = { orders, decimalComma: findDecimalComma(table), latinOnly: false };
  const { profile, prefixes, shipFroms, today } = about;
  const { required, markForDigits } = profile;
  const rules: RowRules = { required, markForDigits, prefixes, shipFroms, today };
  const layout = createLayout(profile, RESOLUTIONS[about.resolution]);
  const problems: Problem[] = [];
  const read = table.rows.map((row) => {
    const found: Problem[] = [];
    const labelRow = readLabelRow(table, readRow(table, row, { rules: cellRules, problems: found }), {
      rules,
      problems: found,
    });
    const isGood = found.every(isNoError);
    if (isGood) found.push(...symbolProblems(table, labelRow, layout));
    problems.push(...found);
    return { labelRow, isGood: found.every(isNoError) };
  });
  const repeated = repeatedSsccs(
    table,
    read.map(({ labelRow }) => labelRow),
  );
  const repeatedRows = new Set(repeated.map(({ row }) => row));
  const all = [...table.notes, ...votes.flatMap(({ note }) => note ?? []), ...problems, ...repeated];
  return {
    rows: read.flatMap(({ labelRow, isGood }) =>
      isGood && !repeatedRows.has(labelRow.row) ? [labelRow] : [],
    ),
    problems: all.toSorted((one, other) => one.row - other.row || (one.column ?? -1) - (other.column ?? -1)),
    total: table.rows.length,
  };
}

const isNoError = ({ severity }: Problem) => severity !== "error";

const symbolProblems = (table: Table<Field>, row: LabelRow, layout: Layout): Problem[] =>
  layout.findFaults(row).map((fault) => {
    const field = fault.of as Field;
    return problemAt(table, { field, row: row.row }, { value: row[fault.of], ...foundOf(fault) });
  });

function foundOf(found: SymbolFault): Found {
  const { ai, value } = found.element;
  if (!("fault" in found)) {
    const { widthMm, roomMm } = found;
    return { code: "bar_code_too_wide", params: { symbol: `(${ai}) ${value}`, widthMm, roomMm } };
  }
  const character = [...value].find((each) => !/[A-Za-z0-9!"%&'()*+,\-./:;<=>?_]/.test(each));
  if (character !== undefined) return { code: "bar_code_character", params: { character } };
  return { code: "bar_code_fault", params: { symbol: `(${ai}) ${value}` } };
}

/** A number that two rows have: both must be looked at. */
function repeatedSsccs(table: Table<Field>, rows: readonly LabelRow[]): Problem[] {
  const given = Map.groupBy(
    rows.filter(({ sscc }) => sscc !== ""),
    ({ sscc }) => sscc,
  );
  return [...given.values()].flatMap((same) =>
    same.length < 2
      ? []
      : same.map(({ row, sscc }) => {
          const params = { rows: same.map((each) => each.row).slice(0, 5) };
          return problemAt(table, { field: "sscc", row }, { code: "sscc_twice", value: sscc, params });
        }),
  );
}
