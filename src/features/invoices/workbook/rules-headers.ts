import { cellName } from "#formats/xlsx/cell-names.ts";
import type { CellValue, Sheet, SheetRow } from "#formats/xlsx/workbook.ts";
import { ALL_FIELDS, fieldHeader, type Field } from "#features/invoices/workbook/rules-fields.ts";
import { editDistance } from "#features/invoices/plan/rules-names.ts";
import { SYNONYMS } from "#features/invoices/workbook/rules-synonyms.ts";
import { quote, shorten, type Problem } from "#features/invoices/workbook/rules-problems.ts";

export type Column = { field: Field; index: number; header: string };

export type Headers = {
  row: number;
  columns: Column[];
  doubles: { field: Field; columns: Column[] }[];
  /** Each entry is a choice of fields of which one must be there. */
  missing: Field[][];
  notes: Problem[];
};

/** What a person said a column means: a field, or that it is to be passed over. */
export type ColumnChoice = Field | "ignore";

/** The field a header means by itself, undefined when it is none of ours. */
export const fieldOfHeader = (header: string): Field | undefined => FIELD_BY_KEY.get(headerKey(header));

/**
 * What a row means if it is taken for the header row.
 * @param chosen fields by header key that a person confirmed; they win over what a header means by itself
 */
export function readHeaders(
  row: SheetRow,
  sheet: Sheet,
  chosen: ReadonlyMap<string, ColumnChoice> = new Map(),
): Headers {
  const columns: Column[] = [];
  const unknown: { index: number; header: string }[] = [];
  row.cells.forEach((cell, index) => {
    const header = headerText(cell);
    const key = headerKey(header);
    if (key === "") return;
    const field = chosen.get(key) ?? FIELD_BY_KEY.get(key) ?? (key === REASON_KEY ? "ignore" : undefined);
    if (field === "ignore") return;
    if (field) columns.push({ field, index, header });
    else unknown.push({ index, header });
  });
  const fields = new Set(columns.map((column) => column.field));
  const doubles = [...fields]
    .map((field) => ({ field, columns: columns.filter((column) => column.field === field) }))
    .filter((each) => each.columns.length > 1);
  const notes = unknown.map((each) => ignoredColumn(each, { row: row.number, sheet: sheet.name, fields }));
  return { row: row.number, columns, doubles, missing: missingFields(fields), notes };
}

/** Header of the column that a corrected workbook tells its reasons in; it is passed over without a word. */
export const REASON_HEADER = "Reason";

/**
 * A header without what people add to it: case, spaces, punctuation, a trailing star, "(required)".
 * A number sign is read as "no", so that "Invoice #" is "invoiceno".
 */
export function headerKey(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\((?:required|optional|yyyy-mm-dd|mm\/dd\/yyyy|y\/n)\)/g, "")
    .replaceAll("#", "no")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const FIELD_BY_KEY: ReadonlyMap<string, Field> = new Map(
  ALL_FIELDS.flatMap((field) =>
    [headerKey(fieldHeader(field)), ...SYNONYMS[field]].map((key) => [key, field] as const),
  ),
);

const REASON_KEY = headerKey(REASON_HEADER);

/** A header as people wrote it, on one line. */
export function headerText(cell: CellValue | undefined): string {
  return typeof cell === "string"
    ? cell
        .replaceAll(/[\uFEFF\u200B-\u200F]/g, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    : "";
}

export function isBlank(cell: SheetRow["cells"][number]): boolean {
  return cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

function missingFields(fields: ReadonlySet<Field>): Field[][] {
  const missing = (["customer", "invoiceDate", "item"] as const)
    .filter((field) => !fields.has(field))
    .map((field): Field[] => [field]);
  if (fields.has("amount") || (fields.has("qty") && fields.has("rate"))) return missing;
  if (fields.has("qty")) return [...missing, ["rate", "amount"]];
  return [...missing, fields.has("rate") ? ["qty", "amount"] : ["amount"]];
}

function ignoredColumn(
  { index, header }: { index: number; header: string },
  { row, sheet, fields }: { row: number; sheet: string; fields: ReadonlySet<Field> },
): Problem {
  const key = headerKey(header);
  const near = ALL_FIELDS.filter((field) => !fields.has(field)).find(
    (field) => key.length > 3 && editDistance(key, headerKey(fieldHeader(field)), 2) <= 2,
  );
  const cell = cellName(index, row);
  const hint = near ? ` Did you mean "${fieldHeader(near)}"?` : consequenceOf(key);
  return {
    sheet,
    cell,
    row,
    header,
    severity: "warning",
    code: "column_ignored",
    value: shorten(header),
    text: `${cell}: Column ${quote(header)} is not known and is ignored.${hint}`,
  };
}

const EXTRA_MONEY =
  /^(?:line|item|invoice|order|total)?(?:discount|shipping|freight|handling|postage|surcharge|deposit|tip)(?:amount|amt|costs?|charges?|fees?|total|price|percent|rate)?$/;
const TAX = /^(?:line|item|invoice|sales|total)*(?:tax|vat|gst|hst)(?:amount|amt|rate|percent|total)?$/;

const JOB = /^(?:customer)?(?:job|project|subcustomer)(?:name)?$/;

/** What an invoice lacks for a column that is not sent. */
function consequenceOf(key: string): string {
  if (JOB.test(key))
    return ' Invoices go to the customer itself: write "Customer:Job" where one of its jobs is meant.';
  if (EXTRA_MONEY.test(key))
    return " Money in it is not on the invoices: give it lines of its own, with an Item.";
  return TAX.test(key) ? " QuickBooks works out the tax itself." : "";
}
