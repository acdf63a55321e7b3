import type { Found } from "#formats/table/problem.ts";
import { NAMED_FIELDS, type NamedField } from "#features/invoices/workbook/named-fields.ts";
import type { Note, PlanContext, PlanLists } from "#features/invoices/plan/rules.ts";
import { findName, type ListEntry, type NameIndex, type NameMatch } from "#features/books/reading.ts";

type Report = { field: NamedField; lists: PlanLists; note: Note };

/**
 * Finds the list entry that a cell names; undefined for a blank cell, and for an unusable name, which is
 * reported.
 */
export function checkReference<Entry extends ListEntry>(
  index: NameIndex<Entry>,
  text: string | undefined,
  report: Report,
): Entry | undefined {
  if (text === undefined) return undefined;
  const match = findName(index, text);
  if (match.kind === "found") return match.entry;
  // Users are asked about exactly this name, so it is shown as looked up, without invisible characters.
  report.note(report.field, { ...notUsable(match, report), value: text });
  return undefined;
}

/** Finds the item a line names; categories and bundles have names but cannot be sold on a line. */
export function checkItem(
  context: PlanContext,
  text: string | undefined,
  { note, txnDate }: { note: Note; txnDate: string | undefined },
): PlanLists["items"][number] | undefined {
  const item = checkReference(context.items, text, { field: "item", lists: context.lists, note });
  if (!item) return undefined;
  if (item.type === "Category") {
    note("item", { code: "item_is_category", value: text ?? "", params: { fullName: item.fullName } });
    return undefined;
  }
  if (item.type === "Group") {
    note("item", { code: "item_is_bundle", value: text ?? "" });
    return undefined;
  }
  if (item.invStartDate && txnDate && txnDate < item.invStartDate) {
    const params = { item: item.name, start: item.invStartDate, txnDate };
    note("item", { code: "before_inventory_start", params });
  }
  return item;
}

function notUsable<Entry extends ListEntry>(
  match: Exclude<NameMatch<Entry>, { kind: "found" }>,
  { field, lists }: Report,
): Found {
  const { codePrefix } = NAMED_FIELDS[field];
  const company = lists.companyName;
  switch (match.kind) {
    case "inactive":
      return { code: `${codePrefix}_inactive`, params: { company } };
    case "several": {
      const names = match.entries.slice(0, 3).map((entry) => entry.fullName ?? entry.name);
      return { code: `${codePrefix}_ambiguous`, params: { company, names } };
    }
    case "none":
      return { code: `${codePrefix}_unknown`, params: { company, names: match.suggestions } };
  }
}
