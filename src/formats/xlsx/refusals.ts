import { columnName } from "./cell-names.ts";
import { FileRefused } from "../facts.ts";

/** A file whose bytes are not a workbook at all; `what` finishes the sentence "It is …". */
export const notXlsx = (what: string): FileRefused => new FileRefused("not_xlsx", { what });

/** The archive or its XML is broken or forged; `where` names the part for support. */
export const damaged = (where: string): FileRefused => new FileRefused("damaged", { where });

/** The workbook would fill more memory than any real upload needs. */
export const tooLargeUnpacked = (limitBytes: number): FileRefused =>
  new FileRefused("too_large_unpacked", { megabytes: Math.floor(limitBytes / 1024 / 1024) });

/** @param cell where a value is too far to the right */
export const tooManyColumns = (sheet: string, cell: string, maxColumns: number): FileRefused =>
  new FileRefused("too_many_columns", { sheet, cell, last: columnName(maxColumns - 1) });
