import { MAX_TABLE_ROWS } from "#formats/table/columns.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { formatCount, capitalize } from "#formats/text/phrases.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { WrittenColumn, WrittenSheet } from "#formats/xlsx/write-workbook.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import { templateNames, type OfferedList, type OwnTemplate } from "#features/sheets/rules-template.ts";

/**
 * The template of a kind of sheet: a sheet with its headers and sample rows, sheet "Read me" with every column
 * explained, and a sheet "Lists" that nobody sees. The same input gives the same bytes.
 * @param own of a company, for drop-downs of its names
 */
export async function writeTemplate(kind: SheetKind, own?: OwnTemplate): Promise<Uint8Array> {
  const lists = own?.lists ?? [];
  const fields = kind.names.filter((field) => kind.fields[field]?.offered !== false);
  const sheets: WrittenSheet[] = [
    {
      name: capitalize(kind.words.records),
      columns: fields.map((field) => columnOf(kind, field, lists)),
      rows: sampleRows(kind, fields),
      extraRows: 1000,
    },
    {
      name: "Read me",
      columns: [
        { header: "Column", width: 18, wrap: true },
        { header: "Needed", width: 22, wrap: true },
        { header: "What to write", width: 90, wrap: true },
      ],
      rows: [
        ...rulesOf(kind).map((rule) => ["", "", rule]),
        ...fields.map((field) => {
          const { header, needed = "No", explanation } = kind.fields[field] ?? {};
          return [header, needed, explanation];
        }),
      ],
    },
    listsSheet(kind, lists),
  ];
  // Loaded only here: the threads that read every upload load this file too.
  const { writeWorkbook } = await import("#formats/xlsx/write-workbook.ts");
  return writeWorkbook(sheets, { ...templateNames(kind, own), ...rangeNames(lists) });
}

const plain = new WeakMap<SheetKind, Promise<Uint8Array>>();

/** The template that is the same for everyone, made once: anybody may ask for it, and making it takes 30 ms or more. */
export function plainTemplate(kind: SheetKind): Promise<Uint8Array> {
  const template = plain.get(kind) ?? writeTemplate(kind);
  plain.set(kind, template);
  return template;
}

function columnOf(kind: SheetKind, field: string, lists: readonly OfferedList[]): WrittenColumn {
  const offered = lists.find((list) => list.field === field);
  const { header = "", type, width, needed = "No", explanation = "" } = kind.fields[field] ?? {};
  const hint = `This name isn't in the list. Choose one from it, or keep it when ${kind.words.receiver} has it by now.`;
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

function rulesOf({ template, samples }: SheetKind): string[] {
  const megabytes = MAX_FILE_BYTES / 1024 / 1024;
  return [
    ...template.rules,
    "Columns may be moved, and those you don't need deleted. Columns with other headers are ignored.",
    `At most ${formatCount(MAX_TABLE_ROWS)} rows and ${megabytes} MB.`,
    ...(samples ? ["Delete the sample rows, or leave them: they are skipped."] : []),
  ];
}

const LISTS_SHEET = "Lists";

/** The version, and beside it a column for each list. */
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
