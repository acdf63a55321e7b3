import type { Problem } from "#formats/table/problem.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import type { BooksLists } from "#features/books/reading.ts";
import { keyOfLists } from "#features/invoices/template/rules-lists.ts";

/** Raised when a column of the template changes its name or its meaning. */
export const TEMPLATE_VERSION = "2";

/** Names defined in every template: its version, and for a company's own the day and the key of its lists. */
export const VERSION_NAME = "Template_version";
export const LISTS_NAME = "Template_lists";

/** The names a template carries, as formulas. @param made day (YYYY-MM-DD) and lists of a company's own template */
export function templateNames(made?: { day: string; lists: BooksLists }): Record<string, string> {
  const version = { [VERSION_NAME]: `"${TEMPLATE_VERSION}"` };
  return made ? { ...version, [LISTS_NAME]: `"${made.day} ${keyOfLists(made.lists)}"` } : version;
}

/**
 * What a person should know when the template they used is not today's; it never stops an invoice.
 * @param names those defined in the workbook
 */
export function remarkOnTemplate(
  table: Table,
  lists: BooksLists,
  names: ReadonlyMap<string, string>,
): Problem | undefined {
  const [version, made] = [VERSION_NAME, LISTS_NAME].map(
    (name) => /^"(.*)"$/.exec(names.get(name) ?? "")?.[1],
  );
  const found = differenceOf({ version, made }, lists);
  return found && { severity: "warning", field: null, row: table.headerRow, column: null, ...found };
}

function differenceOf(
  { version, made }: { version: string | undefined; made: string | undefined },
  lists: BooksLists,
): Pick<Problem, "code" | "value" | "params"> | undefined {
  if (version !== undefined && Number(version) < Number(TEMPLATE_VERSION))
    return { code: "template_old", value: version, params: { today: TEMPLATE_VERSION } };
  const [day, key] = made?.split(" ") ?? [];
  if (day === undefined || key === undefined || key === keyOfLists(lists)) return undefined;
  return { code: "template_lists_old", value: day, params: { company: lists.companyName } };
}
