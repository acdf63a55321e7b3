import type { CellValue, SheetRow } from "../xlsx/workbook.ts";

/** Header of the reason column in a problem workbook. */
export const REASON_HEADER = "Reason";

/** Header of its column with the row numbers of the uploaded file. */
export const rowHeader = (fileName: string): string =>
  `Row in ${/\.\w+$/.test(fileName) ? fileName : "the uploaded file"}`;

/** Whether a header is one of both, for any file name: these columns are ignored without a remark. */
export const isRowHeader = (header: string): boolean =>
  /^row in (?:.+\.\w+|the uploaded file)$/i.test(header);
export const isAddedHeader = (header: string): boolean =>
  isRowHeader(header) || headerKey(header) === headerKey(REASON_HEADER);

/** Header of a column of the times in a column of dates. */
export const timeHeader = (header: string): string => `Time of ${header}`;

/**
 * Normalizes a header: removes case, spaces, punctuation, a trailing star, "(required)". A number sign is
 * read as "no", so that "Invoice #" is "invoiceno", and a percent sign as "percent".
 */
export function headerKey(header: string): string {
  const isAscii = ASCII.test(header);
  const plain = (isAscii ? header : header.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/\((?:required|optional|yyyy-mm-dd|mm\/dd\/yyyy|y\/n)\)/g, "")
    .replaceAll("#", "no")
    .replaceAll("%", "percent");
  return isAscii ? plain.replaceAll(/[^a-z\d]/g, "") : plain.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Matches nearly every header: preparing the letters of all scripts takes longer than reading a small sheet.
 */
const ASCII = /^[\0-\x7F]*$/;

/** Whether a text contains a letter. */
export const hasLetter = (text: string): boolean =>
  /[A-Za-z]/.test(text) || (!ASCII.test(text) && /\p{L}/u.test(text));

/** Returns a header as written, on one line. */
export function headerText(cell: CellValue | undefined): string {
  return typeof cell === "string"
    ? cell
        .replaceAll(/[\uFEFF\u200B-\u200F]/g, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    : "";
}

export const isBlank = (cell: SheetRow["cells"][number]): boolean =>
  cell === undefined || (typeof cell === "string" && !beginsVisibly(cell) && cell.trim() === "");

/** True for nearly all text; called a few times for every cell of a file. */
const beginsVisibly = (text: string): boolean => text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127;
