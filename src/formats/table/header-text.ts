import type { CellValue, SheetRow } from "../xlsx/workbook.ts";

/** Header of the column in which a problem workbook has its reasons. */
export const REASON_HEADER = "Reason";

/** Header of the column in which it has the row of the uploaded file that a row comes from. */
export const rowHeader = (fileName: string): string =>
  `Row in ${/\.\w+$/.test(fileName) ? fileName : "the uploaded file"}`;

/** True for both, also in a file of another name: these columns are ignored without a remark. */
export const isRowHeader = (header: string): boolean =>
  /^row in (?:.+\.\w+|the uploaded file)$/i.test(header);
export const isAddedHeader = (header: string): boolean =>
  isRowHeader(header) || headerKey(header) === headerKey(REASON_HEADER);

/**
 * A header without what is often added to it: case, spaces, punctuation, a trailing star, "(required)".
 * A number sign is read as "no", so that "Invoice #" is "invoiceno", and a percent sign as "percent".
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

/** Nearly every header: letters of all scripts take longer to prepare than the rows of a small sheet to read. */
const ASCII = /^[\0-\x7F]*$/;

/** Whether a text has a letter. */
export const hasLetter = (text: string): boolean =>
  /[A-Za-z]/.test(text) || (!ASCII.test(text) && /\p{L}/u.test(text));

/** A header as written, on one line. */
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

/** Of nearly every text; every cell of a file is asked a few times. */
const beginsVisibly = (text: string): boolean => text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127;
