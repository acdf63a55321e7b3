import { centsToFixed, fixedToNumber, type Fixed } from "#formats/table/amounts.ts";
import { cellText } from "#formats/table/cells.ts";
import type { ReadInvoice } from "#features/invoices/ledger/tables.ts";
import type { CheckedInvoice } from "#features/invoices/plan/rules.ts";
import type { RowGroup } from "#features/invoices/workbook/rules-table.ts";

/** What is understood of an invoice in which anything is an error. A name that is not found stays as the sheet has it. */
export function readSoFar({ value, lines }: CheckedInvoice, { rows }: RowGroup): ReadInvoice {
  return {
    txnDate: value("invoiceDate") ?? null,
    dueDate: value("dueDate") ?? null,
    lines: rows.map((row, index) => {
      const line = lines[index];
      return {
        row: row.row,
        item: line?.item?.name ?? cellText(row, "item") ?? null,
        description: line?.description ?? "",
        qty: numberOf(line?.qty),
        rate: numberOf(line?.rate),
        amount: line?.cents === undefined ? null : fixedToNumber(centsToFixed(line.cents)),
      };
    }),
  };
}

const numberOf = (fixed: Fixed | undefined) => (fixed === undefined ? null : fixedToNumber(fixed));
