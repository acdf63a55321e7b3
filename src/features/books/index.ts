export { createInvoices } from "#features/books/create-invoices.ts";
export { findEqualInvoices, type CustomerDay } from "#features/books/find-equal-invoices.ts";
export { unreadableBooks } from "#features/books/errors.ts";
export { readLists } from "#features/books/lists/read-lists.ts";
export { readEntries } from "#features/books/lists/search-list.ts";
export { namesRoutes } from "#features/books/names/routes.ts";
export { findNameChoices } from "#features/books/names/store.ts";
export {
  readBooksStatus,
  readChanges,
  readClosedThrough,
  type BooksStatus,
  type PostedInvoice,
} from "#features/books/read-changes.ts";
export { readUsedNumbers, type BeingPosted, type UsedNumbers } from "#features/books/read-used-numbers.ts";
export { findHalt } from "#features/books/rules-faults.ts";
export type { Rival } from "#features/books/rules-match.ts";
export { VENDOR, type InvoiceDraft, type InvoiceToMake, type InvoiceToUndo } from "#features/books/rules.ts";
export { withdrawInvoices } from "#features/books/withdraw-invoices.ts";
