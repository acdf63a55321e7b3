import { columnName } from "./cell-names.ts";
import { FileRefused } from "../facts.ts";

/** A file that is not a workbook at all; `what` completes the sentence "It is …". */
export const notXlsx = (what: string): FileRefused => new FileRefused("not_xlsx", { what });

/** The archive or its XML is broken or forged; `where` names the part for support. */
export const damaged = (where: string): FileRefused => new FileRefused("damaged", { where });

/** The workbook would take more memory than any real upload needs. */
export const tooLargeUnpacked = (limitBytes: number): FileRefused =>
  new FileRefused("too_large_unpacked", { megabytes: Math.floor(limitBytes / 1024 / 1024) });

/** @param cell a cell beyond the column limit */
export const tooManyColumns = (sheet: string, cell: string, maxColumns: number): FileRefused =>
  new FileRefused("too_many_columns", { sheet, cell, last: columnName(maxColumns - 1) });
