import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import type { OfferedList } from "#features/sheets/reading.ts";
import type { BooksLists } from "#features/books/reading.ts";

/** Longer lists are truncated: Excel's drop-downs become useless long before. */
export const MAX_NAMES = 10_000;

/** Items of these types have names but cannot be sold on a line. */
const NOT_SOLD: ReadonlySet<string> = new Set(["Category", "Group"]);

/** Lists for the drop-downs in a company's template: active entries, under the names that uploads match. */
export function offeredLists(lists: BooksLists): OfferedList[] {
  const items = lists.items.filter(({ type }) => !NOT_SOLD.has(type));
  const offered: (OfferedList & { field: Field })[] = [
    { field: "customer", title: "Customers", names: activeNames(lists.customers) },
    { field: "item", title: "Items", names: activeNames(items) },
    { field: "terms", title: "Terms", names: activeNames(lists.terms) },
    { field: "className", title: "Classes", names: activeNames(lists.classes) },
    { field: "location", title: "Locations", names: activeNames(lists.departments) },
  ];
  return offered.filter(({ names }) => names.length > 0);
}

function activeNames(entries: readonly { name: string; fullName?: string; active: boolean }[]): string[] {
  const names = entries.filter(({ active }) => active).map(({ name, fullName }) => fullName ?? name);
  return [...new Set(names)].toSorted((a, b) => ORDER.compare(a, b)).slice(0, MAX_NAMES);
}

const ORDER = new Intl.Collator("en-US", { numeric: true });
