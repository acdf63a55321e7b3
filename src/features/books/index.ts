export { createInvoices } from "#features/books/create-invoices.ts";
export type { Rival } from "#features/books/rules-match.ts";
export { VENDOR, type InvoiceDraft, type InvoiceToMake, type InvoiceToUndo } from "#features/books/rules.ts";
export { withdrawInvoices } from "#features/books/withdraw-invoices.ts";
