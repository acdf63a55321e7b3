import type { PlanContext } from "#features/invoices/plan/rules-checks.ts";
import { fieldHeader, type Field } from "#features/invoices/workbook/rules-fields.ts";
import {
  findName,
  type ListEntry,
  type NameIndex,
  type NameMatch,
} from "#features/invoices/plan/rules-names.ts";
import type { BooksLists } from "#features/invoices/plan/rules-plan.ts";
import { listOf, quote, type Found } from "#features/invoices/workbook/rules-problems.ts";

/** An entry of a list as an invoice refers to it. */
export type Reference = { id: string; name: string };

type Report = { field: Field; lists: BooksLists; note: (found: Found) => void };

/** The list entry a cell names, or undefined for a blank cell and for a name that cannot be used, which is noted. */
export function checkReference<Entry extends ListEntry>(
  index: NameIndex<Entry>,
  text: string | undefined,
  report: Report,
): Entry | undefined {
  if (text === undefined) return undefined;
  const match = findName(index, text);
  if (match.kind === "found") return match.entry;
  // A person is asked what this very name means, so it is told as it is looked up, without invisible characters.
  report.note({ ...notUsable(match, text, report), value: text });
  return undefined;
}

export function checkCustomer(
  context: PlanContext,
  text: string | undefined,
  note: (found: Found) => void,
): BooksLists["customers"][number] | undefined {
  return checkReference(context.customers, text, { field: "customer", lists: context.lists, note });
}

/** The item a line names; categories and bundles have a name but cannot be sold on a line. */
export function checkItem(
  context: PlanContext,
  text: string | undefined,
  { note, txnDate }: { note: (found: Found) => void; txnDate: string | undefined },
): BooksLists["items"][number] | undefined {
  const item = checkReference(context.items, text, { field: "item", lists: context.lists, note });
  if (!item) return undefined;
  if (item.type === "Category") {
    note({
      code: "item_is_category",
      text: `Item ${quote(text ?? "")} is a category in QuickBooks and cannot be sold. Name one of the items in it, as "${item.fullName}:…".`,
    });
    return undefined;
  }
  if (item.type === "Group") {
    note({
      code: "item_is_bundle",
      text: `Item ${quote(text ?? "")} is a bundle in QuickBooks, which cannot be sent from a workbook. List the items of the bundle on lines of their own.`,
    });
    return undefined;
  }
  if (item.invStartDate && txnDate && txnDate < item.invStartDate) {
    note({
      code: "before_inventory_start",
      text: `Item ${quote(item.name)} is counted in stock from ${item.invStartDate} on, and the invoice is of ${txnDate}. Use a later Invoice Date, or change the item's start date in QuickBooks.`,
    });
  }
  return item;
}

function notUsable<Entry extends ListEntry>(
  match: Exclude<NameMatch<Entry>, { kind: "found" }>,
  text: string,
  { field, lists }: Report,
): Found {
  const what = `${fieldHeader(field)} ${quote(text)}`;
  const code = fieldHeader(field).toLowerCase().replaceAll(" ", "_");
  switch (match.kind) {
    case "inactive":
      return {
        code: `${code}_inactive`,
        text: `${what} is inactive in ${lists.companyName}. Make it active in QuickBooks or correct the cell.`,
      };
    case "several": {
      const names = match.entries.slice(0, 3).map((entry) => quote(entry.fullName ?? entry.name));
      return {
        code: `${code}_ambiguous`,
        text: `${what} names more than one in ${lists.companyName}: ${listOf(names)}. Write the full name.`,
      };
    }
    case "none": {
      const hint =
        match.suggestions.length > 0 ? ` Did you mean ${listOf(match.suggestions.map(quote), "or")}?` : "";
      return {
        code: `${code}_unknown`,
        text: `${what} is not in ${lists.companyName}. Add it in QuickBooks or correct the cell.${hint}`,
      };
    }
  }
}
