import { formatQty } from "#formats/table/amounts.ts";
import { cellNumber, cellText, readRow, type ReadRow } from "#formats/table/cells.ts";
import { findTable, type Table } from "#formats/table/columns.ts";
import { correctCells, type Correction } from "#formats/table/corrections.ts";
import { refuseSwappedDates, refuseUnclearDates, voteColumns } from "#formats/table/date-order.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { findDecimalComma } from "#formats/table/numbers.ts";
import { problemAt, type Problem } from "#formats/table/problem.ts";
import { refuse } from "#features/orders/intake/refuse.ts";
import { findFaults, NO_BILLING, type OrderFault } from "#features/orders/rules.ts";
import { orderSheet, type OrderField } from "#features/orders/sheet.ts";
import type { Order, OrderDocument, OrderLine, OrderTerms, RefusedDocument } from "#features/orders/types.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { openFile, problemSentence, toWrongCell, withPlace } from "#features/sheets/reading.ts";

/** A sheet of orders, with the columns, dates and cells that users explained. */
export type SheetInput = {
  fileName: string;
  chosen: ColumnChoices;
  dateOrder: WrittenOrder | null;
  cells: readonly Correction[];
};

/** Fields that all rows of an order share. */
const SHARED: readonly OrderField[] = orderSheet.names.filter(
  (name) => orderSheet.fields[name].level !== "row",
);

/**
 * Reads a sheet of orders: a row is a line, and rows with one PO number are one order. An order with an error in any of its
 * cells is refused as a whole.
 * @throws FileRefused for a file that cannot be read at all
 */
export function readSheet(
  bytes: Uint8Array,
  { fileName, chosen, dateOrder, cells }: SheetInput,
): OrderDocument[] {
  const file = findTable(orderSheet, openFile(bytes, fileName), chosen);
  const { table } = correctCells(file, cells);
  refuseSwappedDates(table);
  refuseUnclearDates(table, dateOrder);
  const orders = new Map(voteColumns(table, dateOrder).map(({ field, order }) => [field, order]));
  const rules = { orders, decimalComma: findDecimalComma(table), latinOnly: false };
  const groups = new Map<string, { rows: ReadRow<OrderField>[]; problems: Problem[] }>();
  for (const cellsOfRow of table.rows) {
    const problems: Problem[] = [];
    const row = readRow(table, cellsOfRow, { rules, problems });
    const poNumber = cellText(row, "poNumber") ?? "";
    if (!row.cells.has("quantity"))
      problems.push(problemAt(table, { field: "quantity", row: row.row }, { code: "required" }));
    const group = groups.get(poNumber) ?? { rows: [], problems: [] };
    group.rows.push(row);
    group.problems.push(...problems.filter(({ severity }) => severity === "error"));
    groups.set(poNumber, group);
  }
  return [...groups].map(([poNumber, { rows, problems }]) => {
    const order = toOrder(poNumber, rows);
    const faults = [
      ...problems.map((problem) => ({ problem, text: sentence(problem) })),
      ...findConflicts(table, rows),
    ];
    const others = problems.length > 0 ? [] : findFaults(order);
    const cells = [...faults, ...others.map((fault) => locate(table, rows, fault))];
    const sentences = [
      ...faults.map(({ problem, text }) => withPlace(problem, text)),
      ...others.map(({ text }) => text),
    ];
    return cells.length > 0
      ? refuseRows(refuse(poNumber, sentences), cells)
      : { kind: "order", poNumber, order };
  });
}

/** An error of a cell, and its sentence without the cell. */
type Fault = { problem: Problem; text: string };

const refuseRows = (refused: RefusedDocument, cells: readonly Fault[]): RefusedDocument => ({
  ...refused,
  cells: cells.map(({ problem, text }) => toWrongCell(orderSheet, problem, text)),
});

const sentence = (problem: Problem): string =>
  problem.code === "required" ? "The quantity is missing." : problemSentence(orderSheet, problem);

/** Differences between the rows of one order: one of them must be wrong. */
function findConflicts(table: Table<OrderField>, rows: readonly ReadRow<OrderField>[]): Fault[] {
  return SHARED.flatMap((field) => {
    const filled = rows.filter((row) => row.cells.has(field));
    const [first, ...others] = filled;
    const other = others.find((row) => cellText(row, field) !== (first && cellText(first, field)));
    if (!first || !other) return [];
    const value = cellText(other, field) ?? "";
    return [
      {
        problem: problemAt(table, { field, row: other.row }, { code: "values_differ", value }),
        text: `This is "${value}", but row ${first.row} of the same order has "${cellText(first, field)}".`,
      },
    ];
  });
}

/** The cell of a fault: of its line, or of the first row of the order. */
function locate(
  table: Table<OrderField>,
  rows: readonly ReadRow<OrderField>[],
  { field, line, text }: OrderFault,
): Fault {
  const row = rows[line ?? 0];
  const place = { field: field ?? "poNumber", row: row?.row ?? 0 };
  const value = (row && field && cellText(row, field)) ?? "";
  return { problem: problemAt(table, place, { code: "order_not_valid", value }), text };
}

function toOrder(poNumber: string, rows: readonly ReadRow<OrderField>[]): Order {
  const shared = (field: OrderField): string =>
    rows.map((row) => cellText(row, field)).find((text) => text !== undefined && text !== "") ?? "";
  return {
    poNumber,
    customerOrder: shared("customerOrder"),
    orderDate: shared("orderDate") || null,
    shipBy: shared("shipBy") || null,
    cancelAfter: null,
    shipTo: {
      name: shared("name"),
      attention: shared("attention"),
      lines: [shared("address1"), shared("address2"), shared("address3")].filter(Boolean),
      city: shared("city"),
      state: shared("state").toUpperCase(),
      zip: shared("zip"),
      country: shared("country").toUpperCase() || "US",
      phone: shared("phone"),
    },
    serviceCode: shared("service"),
    references: [],
    giftMessage: shared("giftMessage"),
    vendorMessage: shared("message"),
    lines: rows.map(toLine),
    ...(shared("terms") !== "" && { billing: { ...NO_BILLING, terms: readTerms(shared("terms")) } }),
  };
}

const NET = String.raw`n(?:et)?[\s/.-]*(\d{1,3})(?:\s*days?)?`;
/** "Net 30", "n/30", "2% 10 Net 30", "2/10, n/30" */
const NET_TERMS = new RegExp(
  String.raw`^(?:(\d{1,2}(?:\.\d+)?)\s*(?:%\s*/?|/)\s*(\d{1,3})(?:\s*days?)?[\s,;/-]*)?${NET}$`,
  "i",
);
/** "30", "30 days" */
const DAYS = /^(\d{1,3})(?:\s*days?)?$/i;

/** Terms of a cell. Others, such as "Net 30 EOM", keep their words: the books may have terms of that name. */
function readTerms(cell: string): OrderTerms {
  const text = cell.trim();
  const none = { type: "01", basis: "3", discountDate: "", netDate: "" };
  const [, discountPercent = "", discountDays = "", days] = NET_TERMS.exec(text) ?? [];
  const netDays = days ?? DAYS.exec(text)?.[1] ?? (/^due (?:up)?on receipt$/i.test(text) ? "0" : "");
  return { ...none, discountPercent, discountDays, netDays, description: netDays === "" ? text : "" };
}

function toLine(row: ReadRow<OrderField>, at: number): OrderLine {
  const [quantity, cost] = [cellNumber(row, "quantity"), cellNumber(row, "unitCost")];
  return {
    line: cellText(row, "line") ?? String(at + 1),
    buyerSku: cellText(row, "sku") ?? "",
    vendorSku: cellText(row, "vendorSku") ?? "",
    upc: cellText(row, "upc") ?? "",
    description: cellText(row, "description") ?? "",
    quantity: quantity === undefined ? "" : formatQty(quantity),
    unit: cellText(row, "unit") ?? "",
    unitCost: cost === undefined ? "" : formatQty(cost),
  };
}
