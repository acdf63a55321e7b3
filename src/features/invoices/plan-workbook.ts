import { findTable } from "#features/invoices/rules-columns.ts";
import { openFile } from "#features/invoices/open-file.ts";
import { planInvoices, type BooksLists, type Plan } from "#features/invoices/rules-plan.ts";

/** Reads an uploaded file and checks all of it against a company's lists. Runs in a thread of its own. */
export function run(bytes: Uint8Array, lists: BooksLists): Plan {
  return planInvoices(findTable(openFile(bytes), lists.columnChoices), lists);
}
