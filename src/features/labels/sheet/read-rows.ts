import { readRow, type CellRules } from "#formats/table/cells.ts";
import { findTable, type Table } from "#formats/table/columns.ts";
import { correctCells, type Corrected, type Correction } from "#formats/table/corrections.ts";
import { voteColumns, refuseUnclearDates } from "#formats/table/date-order.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";
import { inSheetOrder, problemAt, type Found, type Problem } from "#formats/table/problem.ts";
import { refuseSwappedDates } from "#formats/table/swapped-dates.ts";
import { RESOLUTIONS, type ResolutionName } from "#formats/label/drawing.ts";
import { openFile } from "#features/sheets/reading.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { createLayout, type Layout } from "#features/labels/layout/rules-layout.ts";
import type { SymbolFault } from "#features/labels/layout/rules-symbols.ts";
import type { Profile } from "#features/labels/layout/rules-profiles.ts";
import { orderKeyOf, readLabelRow, type LabelRow, type RowRules } from "#features/labels/sheet/rules-row.ts";
import { labelSheet, type Field } from "#features/labels/sheet/rules-sheet.ts";

/** A file of labels, and what of the company it is checked against. */
export type ToRead = {
  fileName: string;
  chosen: ColumnChoices;
  /** Cells that count instead of those of the file. */
  cells: readonly Correction[];
  dateOrder: WrittenOrder | null;
  profile: Profile;
  resolution: ResolutionName;
  prefixes: readonly string[];
  shipFroms: readonly string[];
  today: string;
};

export type ReadRows = {
  /** Those that can become labels. */
  rows: LabelRow[];
  /** The others, as far as they could be read. */
  wrongRows: LabelRow[];
  /** Everything that must be said of the file. */
  problems: Problem[];
  columns: { field: string; index: number }[];
  corrected: Corrected[];
};

/**
 * Reads a sheet of labels and checks every cell of it. Runs in a thread of its own.
 * @throws FileRefused for a file that cannot be read as one
 */
export function run(bytes: Uint8Array, { fileName, chosen, cells, dateOrder, ...about }: ToRead): ReadRows {
  const { table, corrected } = correctCells(findTable(labelSheet, openFile(bytes, fileName), chosen), cells);
  refuseSwappedDates(table);
  refuseUnclearDates(table, dateOrder);
  const votes = voteColumns(table, dateOrder);
  const orders = new Map(votes.map(({ field, order }) => [field, order]));
  const cellRules = { orders, decimalComma: findDecimalComma(table), latinOnly: false };
  const read = checkRows(table, cellRules, about);
  const all = read.map(({ row }) => row);
  const problems = [
    ...read.flatMap(({ found }) => found),
    ...repeatedSsccs(table, all),
    ...miscounted(table, all),
  ];
  const wrong = new Set(problems.filter((each) => !isNoError(each)).map(({ row }) => row));
  return {
    rows: all.filter(({ row }) => !wrong.has(row)),
    wrongRows: all.filter(({ row }) => wrong.has(row)),
    problems: inSheetOrder([...table.notes, ...votes.flatMap(({ note }) => note ?? []), ...problems]),
    columns: table.columns.map(({ field, index }) => ({ field, index })),
    corrected,
  };
}

type Checked = { row: LabelRow; found: Problem[] };

/** Every row by itself; how wide its bar codes would be is asked of good ones only. */
function checkRows(table: Table<Field>, cellRules: CellRules, about: About): Checked[] {
  const { profile, prefixes, shipFroms, today } = about;
  const { required, markForDigits } = profile;
  const rules: RowRules = { required, markForDigits, prefixes, shipFroms, today };
  const layout = createLayout(profile, RESOLUTIONS[about.resolution]);
  return table.rows.map((cells) => {
    const found: Problem[] = [];
    const read = readRow(table, cells, { rules: cellRules, problems: found });
    const row = readLabelRow(table, read, { rules, problems: found });
    if (found.every(isNoError)) found.push(...symbolProblems(table, row, layout));
    return { row, found };
  });
}

type About = Omit<ToRead, "fileName" | "chosen" | "cells" | "dateOrder">;

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

/**
 * Cartons that the sheet counts, but does not number: they are numbered in its order, so that their count must be the
 * same in all rows of their purchase order and store, and reach the last of them.
 */
function miscounted(table: Table<Field>, rows: readonly LabelRow[]): Problem[] {
  return [...Map.groupBy(rows, orderKeyOf).values()].flatMap((order) => {
    const counted = order.filter(({ carton, cartonCount }) => carton === null && cartonCount !== null);
    const counts = new Set(counted.map(({ cartonCount }) => cartonCount));
    const cartons = order.reduce((sum, row) => sum + row.cartons, 0);
    const differ = counts.size > 1;
    return counted.flatMap(({ row, cartonCount, poNumber }) => {
      if (!differ && (cartonCount ?? 0) >= cartons) return [];
      const code = differ ? "carton_counts_differ" : "carton_count_short";
      const params = { cartons, poNumber, rows: counted.map((each) => each.row).slice(0, 5) };
      return [problemAt(table, { field: "cartonCount", row }, { code, value: String(cartonCount), params })];
    });
  });
}
