import { MAX_FILE_BYTES, XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { fileWords } from "#features/sheets/web/words.ts";

/** Reason to refuse a chosen file, null if it can be sent. Systems that do not know a type leave it empty. */
export function checkFile(file: Pick<File, "name" | "type" | "size">): string | null {
  const isWorkbook = file.type === XLSX_MEDIA_TYPE || (file.type === "" && /\.xlsx$/i.test(file.name));
  if (/\.xls[bm]?$/i.test(file.name)) return fileWords.refusals.oldExcel;
  if (!isWorkbook && !isCsv(file)) return fileWords.refusals.type;
  if (file.size === 0) return fileWords.refusals.empty;
  return file.size > MAX_FILE_BYTES ? fileWords.refusals.size : null;
}

/** Checks the name, because systems with Excel installed report CSV files with Excel's type. */
export const isCsv = ({ name }: Pick<File, "name">): boolean => /\.(csv|tsv|tab)$/i.test(name);
