import { readDecimalCommas } from "#formats/csv/decimal-commas.ts";
import { readCsv } from "#formats/csv/read-csv.ts";
import { DEFAULT_LIMITS } from "#formats/limits.ts";
import { FileRefused } from "#formats/facts.ts";
import { detectFileKind, isGoogleShortcut } from "#formats/xlsx/guard.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { CellValue, Sheet, Workbook } from "#formats/xlsx/workbook.ts";

/** Sheet name for text files. */
export const CSV_SHEET = "CSV";

/**
 * Reads an uploaded workbook or text file into the same structure. The file name decides whether it is read as text, so
 * a CSV file renamed to .xlsx is refused with instructions. Typed cells arrive under a name without an ending.
 * @param fileName undefined for a file that was accepted earlier
 * @throws FileRefused when it is neither
 */
export function openFile(bytes: Uint8Array, fileName?: string): Workbook {
  if (isGoogleShortcut(bytes)) throw new FileRefused("google_shortcut");
  const isText =
    fileName === undefined ? !isWorkbook(bytes) : isTextName(fileName) && detectFileKind(bytes) === undefined;
  return isText ? openText(bytes) : readWorkbook(bytes);
}

/** True for names of text files, with cells separated by commas, semicolons or tabs, and for names without an ending. */
export const isTextName = (fileName: string): boolean =>
  /\.(csv|tsv|tab|txt)$/i.test(fileName) || !/\.\w+$/.test(fileName);

/** True for the bytes of a workbook, a ZIP archive. */
export const isWorkbook = (bytes: Uint8Array): boolean => detectFileKind(bytes) === "zip";

/** Text that Excel saves in a text file for a formula that failed. */
const ERROR = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)\s*$/;

const isError = (cell: string | undefined): cell is string => cell !== undefined && ERROR.test(cell);

const toError = (cell: string): CellValue => ({ kind: "error", code: cell.trim() });

function openText(bytes: Uint8Array): Workbook {
  const rows = readDecimalCommas(readCsv(bytes, DEFAULT_LIMITS)).map(({ number, cells }) => ({
    number,
    hidden: false,
    cells: cells.some(isError) ? cells.map((cell) => (isError(cell) ? toError(cell) : cell)) : cells,
  }));
  const sheet: Sheet = {
    name: CSV_SHEET,
    state: "visible",
    rows,
    hiddenColumns: [],
    merges: [],
    refused: null,
    isText: true,
  };
  return { sheets: [sheet], date1904: false, names: new Map() };
}
