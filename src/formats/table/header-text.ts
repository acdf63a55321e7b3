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
  cell === undefined || (typeof cell === "string" && cell.trim() === "");
