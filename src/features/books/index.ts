export { createInvoices } from "#features/books/create-invoices.ts";
export { readLists } from "#features/books/lists/read-lists.ts";
export { readEntries, type Entry } from "#features/books/lists/search-list.ts";
export { namesRoutes } from "#features/books/names/routes.ts";
export { findNameChoices } from "#features/books/names/store.ts";
export { readBooksStatus, type BooksStatus } from "#features/books/read-books-status.ts";
export type { Rival } from "#features/books/rules-match.ts";
export { VENDOR, type InvoiceDraft, type InvoiceToMake, type InvoiceToUndo } from "#features/books/rules.ts";
export { withdrawInvoices } from "#features/books/withdraw-invoices.ts";
