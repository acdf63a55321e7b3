import type { ListKind } from "#features/books/names/contract.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";

/** A field whose cells name list entries of the books. */
export type NamedField = Extract<Field, "customer" | "item" | "terms" | "className" | "location">;

/**
 * For each of those fields: the prefix of its problem codes, which are stored, the list, and the name for one
 * of its entries.
 */
export const NAMED_FIELDS: Readonly<Record<NamedField, { word: string; list: ListKind; entry: string }>> = {
  customer: { word: "customer", list: "customer", entry: "a customer" },
  item: { word: "item", list: "item", entry: "an item" },
  terms: { word: "terms", list: "term", entry: "a payment term" },
  className: { word: "class", list: "class", entry: "a class" },
  location: { word: "location", list: "department", entry: "a location" },
};
