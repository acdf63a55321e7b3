import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import type { BooksLists } from "#features/invoices/plan/rules-plan.ts";
import type { Problem } from "#features/invoices/workbook/rules-problems.ts";
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
  const text = sentence({ version, made }, lists);
  if (text === undefined) return undefined;
  const place = { sheet: table.sheet, cell: `A${table.headerRow}`, row: table.headerRow };
  const header = table.columns[0]?.header ?? "";
  return { ...place, header, severity: "warning", code: "template_old", value: version ?? "", text };
}

function sentence(
  { version, made }: { version: string | undefined; made: string | undefined },
  lists: BooksLists,
): string | undefined {
  if (version !== undefined && Number(version) < Number(TEMPLATE_VERSION))
    return `The file was made with version ${version} of the template; today's is version ${TEMPLATE_VERSION}. Everything in it is read; download the template again for the next file.`;
  const [day, key] = made?.split(" ") ?? [];
  if (key === undefined || key === keyOfLists(lists)) return undefined;
  return `The drop-downs of this template are of ${day}, and the lists of ${lists.companyName} have changed since. Everything is checked against today's lists; download the template again to choose from them.`;
}
