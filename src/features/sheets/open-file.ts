import { readCsv } from "#formats/csv/read-csv.ts";
import { DEFAULT_LIMITS } from "#formats/limits.ts";
import { kindOfFile } from "#formats/xlsx/refuse-kinds.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { Sheet, Workbook } from "#formats/xlsx/workbook.ts";

/** The only sheet of a file that has none. */
export const CSV_SHEET = "CSV";

/**
 * Reads an uploaded file, a workbook or comma separated text, into the same shape. Text is taken from files whose
 * names say so, so that a CSV file renamed to .xlsx is refused with the way out; pasted cells come as "….csv" too.
 * @param fileName undefined for a file that has been taken in already
 * @throws FileRefused when it can be read as neither
 */
export function openFile(bytes: Uint8Array, fileName?: string): Workbook {
  const isText =
    fileName === undefined ? !isWorkbook(bytes) : isTextName(fileName) && kindOfFile(bytes) === undefined;
  return isText ? openText(bytes) : readWorkbook(bytes);
}

/** True for names of text files: the cells in them are separated by commas, semicolons or tabs. */
export const isTextName = (fileName: string): boolean => /\.(csv|tsv|tab|txt)$/i.test(fileName);

/** True for the bytes of a workbook, which is a ZIP archive. */
export const isWorkbook = (bytes: Uint8Array): boolean => kindOfFile(bytes) === "zip";

function openText(bytes: Uint8Array): Workbook {
  const rows = readCsv(bytes, DEFAULT_LIMITS).map((row) => ({ ...row, hidden: false }));
  const sheet: Sheet = {
    name: CSV_SHEET,
    state: "visible",
    rows,
    hiddenColumns: [],
    merges: [],
    refused: null,
  };
  return { sheets: [sheet], date1904: false, names: new Map() };
}
