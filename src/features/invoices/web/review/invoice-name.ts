import type { ReviewInvoice } from "#features/invoices/check/contract.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";

/** What users call an invoice: its number, else its rows in the file. */
export const nameOf = ({ doc_number, rows }: ReviewInvoice) => doc_number ?? words.inRows(rows);

/** What the table of all has in its first column, by which it also finds the invoice. */
export const numberOf = ({ doc_number, rows }: ReviewInvoice) => doc_number ?? words.noNumber(rows);
