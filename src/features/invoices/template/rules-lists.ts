import { createHash } from "node:crypto";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import type { BooksLists } from "#features/books/reading.ts";

/** The names that a column of a company's own template offers, in order. */
export type OfferedList = { field: Field; title: string; names: readonly string[] };

/** Longer lists are cut: Excel's drop-downs become useless long before. */
export const MOST_NAMES = 10_000;

/** Items of these types have a name but cannot be sold on a line. */
const NOT_SOLD: ReadonlySet<string> = new Set(["Category", "Group"]);

/** What the drop-downs of a company's template offer: active entries by the names they are found by. */
export function offeredLists(lists: BooksLists): OfferedList[] {
  const items = lists.items.filter(({ type }) => !NOT_SOLD.has(type));
  const offered: OfferedList[] = [
    { field: "customer", title: "Customers", names: namesOf(lists.customers) },
    { field: "item", title: "Items", names: namesOf(items) },
    { field: "terms", title: "Terms", names: namesOf(lists.terms) },
    { field: "className", title: "Classes", names: namesOf(lists.classes) },
    { field: "location", title: "Locations", names: namesOf(lists.departments) },
  ];
  return offered.filter(({ names }) => names.length > 0);
}

/** Short key of what is offered: the same names give the same key. */
export function keyOfLists(lists: BooksLists): string {
  const offered = offeredLists(lists).map(({ field, names }) => [field, ...names]);
  return createHash("sha256").update(JSON.stringify(offered)).digest("hex").slice(0, 12);
}

function namesOf(entries: readonly { name: string; fullName?: string; active: boolean }[]): string[] {
  const names = entries.filter(({ active }) => active).map(({ name, fullName }) => fullName ?? name);
  return [...new Set(names)].toSorted((a, b) => ORDER.compare(a, b)).slice(0, MOST_NAMES);
}

const ORDER = new Intl.Collator("en-US", { numeric: true });
