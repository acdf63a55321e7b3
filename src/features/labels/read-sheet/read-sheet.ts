import { checkDigit } from "#formats/gs1/check-digit.ts";
import { RESOLUTIONS, type ResolutionName } from "#formats/label/drawing.ts";
import { readRow, type CellRules } from "#formats/table/cells.ts";
import { findTable, type Table } from "#formats/table/columns.ts";
import { correctCells, type Corrected, type Correction } from "#formats/table/corrections.ts";
import { voteColumns, refuseUnclearDates, refuseSwappedDates } from "#formats/table/date-order.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";
import { inSheetOrder, problemAt, type Found, type Problem } from "#formats/table/problem.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { openFile } from "#features/sheets/reading.ts";
import type { Paper } from "#features/labels/contract.ts";
import { createLayout, type Layout } from "#features/labels/layout/draw.ts";
import { PAGES } from "#features/labels/layout/pages.ts";
import type { SymbolFault } from "#features/labels/layout/symbols.ts";
import {
  checkCartons,
  countCartons,
  findLostValue,
  groupCartons,
  holdCartons,
  mergeCarton,
} from "#features/labels/read-sheet/mixed-cartons.ts";
import { readLabelRow, type RowRules } from "#features/labels/read-sheet/row.ts";
import { labelSheet, type Field } from "#features/labels/sheet.ts";
import { orderKey, type LabelRow, type Profile, type ShipFrom } from "#features/labels/types.ts";

/** A label sheet and the settings it is checked against. */
export type LabelSheetInput = {
  fileName: string;
  chosen: ColumnChoices;
  /** Corrected cells. */
  cells: readonly Correction[];
  dateOrder: WrittenOrder | null;
  profile: Profile;
  resolution: ResolutionName;
  prefixes: readonly string[];
  /** Addresses by code. */
  shipFroms: Readonly<Record<string, ShipFrom>>;
  /** Paper the labels must fit on. */
  paper: Paper;
  today: string;
};

export type LabelSheetResult = {
  /** Rows that can become labels. */
  rows: LabelRow[];
  /** Rows with errors, as far as they could be read. */
  wrongRows: LabelRow[];
  problems: Problem[];
  columns: { field: string; index: number }[];
  corrected: Corrected[];
};

/**
 * Reads a sheet of labels and checks every cell. Runs in a worker thread.
 * @throws FileRefused for a file that cannot be read at all
 */
export function run(
  bytes: Uint8Array,
  { fileName, chosen, cells, dateOrder, ...about }: LabelSheetInput,
): LabelSheetResult {
  const file = findTable(labelSheet, openFile(bytes, fileName), chosen);
  const { table, corrected } = correctCells(file, cells);
  refuseSwappedDates(table);
  refuseUnclearDates(table, dateOrder);
  const votes = voteColumns(table, dateOrder);
  const orders = new Map(votes.map(({ field, order }) => [field, order]));
  const cellRules = { orders, decimalComma: findDecimalComma(table), latinOnly: false };
  const layout = createLayout(about.profile, RESOLUTIONS[about.resolution], PAGES[about.paper].label.height);
  const measured = { ...about, layout };
  const read = checkRows(table, cellRules, measured);
  const all = read.map(({ row }) => row);
  const found = [
    ...read.flatMap((checked) => checked.found),
    ...findRepeatedSsccs(table, all),
    ...findWrongCounts(table, all),
    ...checkCartons(table, all, createLabelCheck(table, read, measured)),
  ];
  const problems = [...found, ...holdCartons(table, all, found)];
  const wrong = new Set(problems.filter((each) => !isWarning(each)).map(({ row }) => row));
  return {
    rows: all.filter(({ row }) => !wrong.has(row)),
    wrongRows: all.filter(({ row }) => wrong.has(row)),
    problems: inSheetOrder([...table.notes, ...votes.flatMap(({ note }) => note ?? []), ...problems]),
    columns: table.columns.map(({ field, index }) => ({ field, index })),
    corrected,
  };
}

type Checked = { row: LabelRow; found: Problem[] };

/** Checks each row; barcodes and texts are measured for good rows only. */
function checkRows(table: Table<Field>, cellRules: CellRules, about: Measured): Checked[] {
  const { profile, prefixes, today, layout } = about;
  const { required, markForDigits } = profile;
  const shipFroms = Object.keys(about.shipFroms).filter((code) => code !== "");
  const rules: RowRules = { required, markForDigits, prefixes, shipFroms, today };
  const rows = table.rows.map((cells) => {
    const found: Problem[] = [];
    const read = readRow(table, cells, { rules: cellRules, problems: found });
    const row = readLabelRow(table, read, { rules, problems: found });
    if (found.every(isWarning)) found.push(...symbolProblems(table, row, layout));
    return { row, found };
  });
  const cartonsOfOrder = countByOrder(rows);
  for (const { row, found } of rows)
    if (found.every(isWarning))
      found.push(...textProblems(table, { row, cartons: cartonsOfOrder(row) }, about));
  return rows;
}

type About = Omit<LabelSheetInput, "fileName" | "chosen" | "cells" | "dateOrder">;
type Measured = About & { layout: Layout };

/** Creates the check of a carton's label, for cartons of several good rows. */
function createLabelCheck(table: Table<Field>, checked: readonly Checked[], about: Measured) {
  const { profile, layout } = about;
  const wrong = new Set(checked.filter(({ found }) => !found.every(isWarning)).map(({ row }) => row));
  const cartonsOfOrder = countByOrder(checked);
  return (carton: readonly LabelRow[]): Problem[] => {
    if (carton.some((row) => wrong.has(row))) return [];
    const merged = mergeCarton(carton, profile.mixed);
    const lost = findLostValue(table, carton, { merged, profile, listSymbolFields: layout.listSymbolFields });
    if (lost) return [lost];
    const faults = symbolProblems(table, merged, layout);
    return faults.length > 0
      ? faults
      : textProblems(table, { row: merged, cartons: cartonsOfOrder(merged) }, about);
  };
}

const isWarning = ({ severity }: Problem) => severity !== "error";

const symbolProblems = (table: Table<Field>, row: LabelRow, layout: Layout): Problem[] =>
  layout
    .findSymbolFaults(row)
    .map((fault) =>
      problemAt(
        table,
        { field: fault.field, row: row.row },
        { value: String(row[fault.field] ?? ""), ...describeFault(fault) },
      ),
    );

/** Counts the cartons of a row's order in the sheet. */
function countByOrder(checked: readonly Checked[]): (row: LabelRow) => number {
  const orders = Map.groupBy(
    checked.map(({ row }) => row),
    orderKey,
  );
  const counts = new Map([...orders].map(([key, order]) => [key, countCartons(order)]));
  return (row) => counts.get(orderKey(row)) ?? 0;
}

/** Finds texts that don't fit on the label. */
function textProblems(
  table: Table<Field>,
  { row, cartons }: { row: LabelRow; cartons: number },
  { layout, shipFroms, paper }: Pick<Measured, "shipFroms" | "paper" | "layout">,
): Problem[] {
  const from = shipFroms[row.shipFrom] ?? shipFroms[""];
  if (!from) return [];
  const { carton, cartonCount, sscc } = row;
  // A carton not counted yet is measured as the last one of its order.
  const counted = { row, carton: carton ?? cartons, cartonCount: cartonCount ?? cartons, sscc };
  return layout.findTextFaults(counted, from).map(({ letter, field, text, overMm, long }) => {
    const at = { field: field ?? ("shipFrom" as const), row: row.row };
    const value = field === null ? text : String(row[field] ?? "");
    if (long)
      return problemAt(table, at, {
        code: field === null ? "ship_from_long" : "text_long",
        value,
        params: long,
      });
    return problemAt(table, at, { code: "label_low", value, params: { zone: letter, overMm, paper } });
  });
}

function describeFault(found: SymbolFault): Found {
  const { ai, value, shown: symbol } = found;
  if (!("fault" in found)) {
    const { widthMm, roomMm } = found;
    return { code: "bar_code_too_wide", params: { symbol, widthMm, roomMm } };
  }
  const { fault } = found;
  if (fault.code === "identifier_missing") return { code: "bar_code_needs_item" };
  const allowed = ai === "" ? /[ -~]/ : /[A-Za-z0-9!"%&'()*+,\-./:;<=>?_]/;
  const character = [...value].find((each) => !allowed.test(each));
  if (character !== undefined) return { code: "bar_code_character", params: { character } };
  if (fault.code === "check_digit_wrong")
    return { code: "check_digit", params: { digit: checkDigit(value.slice(0, -1)) } };
  const digits = KEY_DIGITS[ai];
  if (digits !== undefined) return { code: "bar_code_digits", params: { ai, digits } };
  return { code: "bar_code_fault", params: { symbol } };
}

/** Lengths of GS1 keys including their check digit. */
const KEY_DIGITS: Readonly<Record<string, number>> = { 402: 17, 410: 13, 413: 13 };

/** Reports a repeated SSCC in each of its rows, unless they are one carton. */
function findRepeatedSsccs(table: Table<Field>, rows: readonly LabelRow[]): Problem[] {
  const given = Map.groupBy(
    rows.filter(({ sscc }) => sscc !== ""),
    ({ sscc }) => sscc,
  );
  return [...given.values()].flatMap((same) =>
    groupCartons(same).length < 2
      ? []
      : same.map(({ row, sscc }) => {
          const params = { rows: same.map((each) => each.row).slice(0, 5) };
          return problemAt(table, { field: "sscc", row }, { code: "sscc_twice", value: sscc, params });
        }),
  );
}

/**
 * Reports wrong carton counts if the sheet has counts but no carton numbers: the count must be the same in
 * all rows of a purchase order and store, and must not be below the number of cartons.
 */
function findWrongCounts(table: Table<Field>, rows: readonly LabelRow[]): Problem[] {
  return [...Map.groupBy(rows, orderKey).values()].flatMap((order) => {
    const counted = order.filter(({ carton, cartonCount }) => carton === null && cartonCount !== null);
    const counts = new Set(counted.map(({ cartonCount }) => cartonCount));
    const cartons = countCartons(order);
    const differ = counts.size > 1;
    return counted.flatMap(({ row, cartonCount, poNumber }) => {
      if (!differ && (cartonCount ?? 0) >= cartons) return [];
      const code = differ ? "carton_counts_differ" : "carton_count_short";
      const params = { cartons, poNumber, rows: counted.map((each) => each.row).slice(0, 5) };
      return [problemAt(table, { field: "cartonCount", row }, { code, value: String(cartonCount), params })];
    });
  });
}
