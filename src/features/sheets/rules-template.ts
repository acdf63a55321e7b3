import { createHash } from "node:crypto";
import type { Table } from "#formats/table/columns.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { remark, type Problem } from "#formats/table/problem.ts";

/** Names of a company that a column of its own template offers, in order. */
export type OfferedList = { field: string; title: string; names: readonly string[] };

/** Whose template it is, the day it was made (YYYY-MM-DD), and what its columns offer. */
export type OwnTemplate = { company: string; day: string; lists: readonly OfferedList[] };

/** Names defined in every template: its version, and for a company's own the day and the key of its lists. */
export const VERSION_NAME = "Template_version";
export const LISTS_NAME = "Template_lists";

/** The names a template carries, as formulas. */
export function templateNames({ template }: SheetKind, own?: OwnTemplate): Record<string, string> {
  const version = { [VERSION_NAME]: `"${template.version}"` };
  return own ? { ...version, [LISTS_NAME]: `"${own.day} ${keyOf(own.lists)}"` } : version;
}

/**
 * What users should know when the template they used is not today's; it never stops a record.
 * @param now.names those defined in the workbook
 */
export function remarkOnTemplate(
  table: Table,
  {
    names,
    company,
    lists,
  }: { names: ReadonlyMap<string, string>; company: string; lists: readonly OfferedList[] },
): Problem | undefined {
  const { version: today } = table.kind.template;
  const [version, made] = [VERSION_NAME, LISTS_NAME].map(
    (name) => /^"(.*)"$/.exec(names.get(name) ?? "")?.[1],
  );
  if (version !== undefined && Number(version) < Number(today))
    return remark("template_old", table.headerRow, { value: version, params: { today } });
  const [day, key] = made?.split(" ") ?? [];
  if (day === undefined || key === undefined || key === keyOf(lists)) return undefined;
  return remark("template_lists_old", table.headerRow, { value: day, params: { company } });
}

/** Short key of what is offered: the same names give the same key. */
function keyOf(lists: readonly OfferedList[]): string {
  const offered = lists.map(({ field, names }) => [field, ...names]);
  return createHash("sha256").update(JSON.stringify(offered)).digest("hex").slice(0, 12);
}
