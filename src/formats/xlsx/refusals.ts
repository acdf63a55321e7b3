import { columnName } from "./cell-names.ts";

/**
 * The file cannot be read as a workbook. `message` is shown to people: what is wrong and what to do about it.
 * Codes used here: empty_file, not_xlsx, old_excel, binary_excel, open_document, encrypted, macros, damaged,
 * not_plain, too_large_unpacked, too_many_parts, too_many_rows, too_many_columns, too_many_cells, text_too_long,
 * no_sheets.
 */
export class WorkbookRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "WorkbookRefused";
    this.code = code;
  }
}

const SAVE_AS = "In Excel choose File > Save As > Excel Workbook (*.xlsx) and upload that file.";

/** A file whose bytes are not a workbook at all; `what` finishes the sentence "It is …". */
export function notXlsx(what: string): WorkbookRefused {
  return new WorkbookRefused(
    "not_xlsx",
    `The selected file must be an XLSX spreadsheet. It is ${what}. ${SAVE_AS}`,
  );
}

/** A workbook of another format, with the code of its kind. */
export function otherFormat(code: string, what: string): WorkbookRefused {
  return new WorkbookRefused(
    code,
    `The selected file must be an XLSX spreadsheet. It is ${what}. ${SAVE_AS}`,
  );
}

export function hasMacros(): WorkbookRefused {
  return new WorkbookRefused(
    "macros",
    "The selected file contains macros. In Excel choose File > Save As > Excel Workbook (*.xlsx), " +
      "which leaves the macros out, and upload that file.",
  );
}

/** The archive or its XML is broken or forged; `where` names the part, for the person who looks into it. */
export function damaged(where: string): WorkbookRefused {
  return new WorkbookRefused(
    "damaged",
    `The selected file is damaged (${where}). Open it in Excel, save it again as an Excel Workbook (*.xlsx), and upload that file.`,
  );
}

/** The workbook would fill more memory than any real upload needs. */
export function tooLargeUnpacked(limitBytes: number): WorkbookRefused {
  const megabytes = Math.floor(limitBytes / 1024 / 1024);
  return new WorkbookRefused(
    "too_large_unpacked",
    `The selected file is too large when unpacked (limit ${megabytes} MB). ` +
      "Copy only the rows you need into a new workbook and upload that file.",
  );
}

/** @param cell where a value stands too far to the right */
export function tooManyColumns(sheet: string, cell: string, maxColumns: number): WorkbookRefused {
  return new WorkbookRefused(
    "too_many_columns",
    `Sheet "${sheet}" has a value in ${cell}, beyond the last column allowed (${columnName(maxColumns - 1)}). ` +
      "Delete the columns that are not needed and upload the file again.",
  );
}

/** 10020 as "10,020". The language tables behind `toLocaleString` would cost a refusal 13 MB and 15 ms. */
export function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
