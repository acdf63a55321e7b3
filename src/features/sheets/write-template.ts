import { MAX_TABLE_ROWS, type Table } from "#formats/table/columns.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { formatCount, capitalize, joinList } from "#formats/text/phrases.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { WrittenColumn, WrittenSheet } from "#formats/xlsx/write-workbook.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import { createHash } from "node:crypto";
import { remark, type Problem } from "#formats/table/problem.ts";

/**
 * Writes the template of a kind of sheet: headers with sample rows, a sheet "Read me" that explains every column, and a
 * hidden sheet "Lists". The same input gives the same bytes.
 * @param own company whose names fill the drop-downs
 */
export async function writeTemplate(kind: SheetKind, own?: OwnTemplate): Promise<Uint8Array> {
  const lists = own?.lists ?? [];
  const fields = kind.names.filter((field) => kind.fields[field]?.offered !== false);
  const sheets: WrittenSheet[] = [
    {
      name: capitalize(kind.words.records),
      columns: fields.map((field) => templateColumn(kind, field, lists)),
      rows: sampleRows(kind, fields),
      extraRows: 1000,
    },
    {
      name: "Read me",
      columns: [
        { header: "Column", width: 18, wrap: true },
        { header: "Needed", width: 22, wrap: true },
        { header: "What to enter", width: 90, wrap: true },
      ],
      rows: [
        ...templateRules(kind).map((rule) => ["", "", rule]),
        ...fields.map((field) => {
          const { header, needed = "No", explanation } = kind.fields[field] ?? {};
          return [header, needed, explanation];
        }),
      ],
    },
    listsSheet(kind, lists),
  ];
  // Imported here only: every thread that reads an upload loads this file.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook(sheets, { ...templateNames(kind, own), ...rangeNames(lists) });
}

const plain = new WeakMap<SheetKind, Promise<Uint8Array>>();

/** Template without company names. Cached because the endpoint is public and writing takes 30 ms or more. */
export function plainTemplate(kind: SheetKind): Promise<Uint8Array> {
  const template = plain.get(kind) ?? writeTemplate(kind);
  plain.set(kind, template);
  return template;
}

function templateColumn(kind: SheetKind, field: string, lists: readonly OfferedList[]): WrittenColumn {
  const offered = lists.find((list) => list.field === field);
  const { header = "", type, width, needed = "No", explanation = "" } = kind.fields[field] ?? {};
  const hint = `This name isn't in the list. Choose one from the list, or keep it if ${kind.words.receiver} has it by now.`;
  return {
    header,
    width: width ?? Math.max(12, header.length + 2),
    note: `${needed}. ${explanation}`,
    text: type === "code",
    ...(type === "yesno" ? { choices: ["Y", "N"] } : {}),
    ...(offered ? { choicesIn: { range: rangeName(offered), hint } } : {}),
  };
}

const sampleRows = ({ samples }: SheetKind, fields: readonly string[]) =>
  samples?.rows.map((row) => fields.map((field) => (field === samples.field ? samples.value : row[field]))) ??
  [];

function templateRules({ template, samples, layouts = [] }: SheetKind): string[] {
  const megabytes = MAX_FILE_BYTES / 1024 / 1024;
  return [
    ...template.rules,
    "You can move columns, and delete those you don't need. Columns with other headers are ignored; we'll ask about those that hold money.",
    ...(layouts.length > 0
      ? [`Exports that you can upload without this template: ${joinList(layouts.map(({ title }) => title))}.`]
      : []),
    `At most ${formatCount(MAX_TABLE_ROWS)} rows and ${megabytes} MB.`,
    ...(samples ? ["You can leave the sample rows: they're skipped."] : []),
  ];
}

const LISTS_SHEET = "Lists";

/** Hidden sheet with the template version and one column for each list. */
function listsSheet({ template }: SheetKind, lists: readonly OfferedList[]): WrittenSheet {
  const longest = Math.max(1, ...lists.map(({ names }) => names.length));
  return {
    name: LISTS_SHEET,
    state: "veryHidden",
    columns: [{ header: "Template version", text: true }, ...lists.map(({ title }) => ({ header: title }))],
    rows: Array.from({ length: longest }, (_, index) => [
      index === 0 ? template.version : undefined,
      ...lists.map(({ names }) => names[index]),
    ]),
  };
}

const rangeName = ({ title }: OfferedList) => `List_${title}`;

const rangeNames = (lists: readonly OfferedList[]): Record<string, string> =>
  Object.fromEntries(
    lists.map((list, index) => {
      const column = columnName(index + 1);
      return [rangeName(list), `${LISTS_SHEET}!$${column}$2:$${column}$${list.names.length + 1}`];
    }),
  );

/** Names that a column of a company's template offers, in order. */
export type OfferedList = { field: string; title: string; names: readonly string[] };

/** Company of a template, the day it was made (YYYY-MM-DD), and the lists its columns offer. */
export type OwnTemplate = { company: string; day: string; lists: readonly OfferedList[] };

/** Defined names of a template: its version, and in a company's template the day and fingerprint of its lists. */
export const VERSION_NAME = "Template_version";
export const LISTS_NAME = "Template_lists";

/** Defined names of a template, as formulas. */
export function templateNames({ template }: SheetKind, own?: OwnTemplate): Record<string, string> {
  const version = { [VERSION_NAME]: `"${template.version}"` };
  return own ? { ...version, [LISTS_NAME]: `"${own.day} ${listsKey(own.lists)}"` } : version;
}

/**
 * Warns that a file was made with an outdated template; the warning never blocks a record.
 * @param now.names names defined in the workbook
 */
export function warnOldTemplate(
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
  if (day === undefined || key === undefined || key === listsKey(lists)) return undefined;
  return remark("template_lists_old", table.headerRow, { value: day, params: { company } });
}

/** Fingerprint of the offered lists. */
function listsKey(lists: readonly OfferedList[]): string {
  const offered = lists.map(({ field, names }) => [field, ...names]);
  return createHash("sha256").update(JSON.stringify(offered)).digest("hex").slice(0, 12);
}
