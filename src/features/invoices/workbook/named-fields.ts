import type { ListKind } from "#features/books/names/contract.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";

/** A field whose cells name list entries of the books. */
export type NamedField = Extract<Field, "customer" | "item" | "terms" | "className" | "location">;

/**
 * Per field: prefix of its problem codes (stored: don't change), its list in the books, and the phrase for
 * one entry.
 */
export const NAMED_FIELDS: Readonly<
  Record<NamedField, { codePrefix: string; list: ListKind; entry: string }>
> = {
  customer: { codePrefix: "customer", list: "customer", entry: "a customer" },
  item: { codePrefix: "item", list: "item", entry: "an item" },
  terms: { codePrefix: "terms", list: "term", entry: "a payment term" },
  className: { codePrefix: "class", list: "class", entry: "a class" },
  location: { codePrefix: "location", list: "department", entry: "a location" },
};
