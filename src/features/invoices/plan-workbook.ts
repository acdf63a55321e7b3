import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { findTable } from "#features/invoices/rules-columns.ts";
import { planInvoices, type BooksLists, type Plan } from "#features/invoices/rules-plan.ts";

/** Reads a workbook and checks all of it against a company's lists. Runs in a thread of its own. */
export function run(bytes: Uint8Array, lists: BooksLists): Plan {
  return planInvoices(findTable(readWorkbook(bytes), lists.columnChoices), lists);
}
