import { MAX_FILE_BYTES, XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { fileWords } from "#features/sheets/web/words.ts";

/** Why a chosen file is not worth sending, null when it is. Systems that do not know the type leave it empty. */
export function refusalOf(file: Pick<File, "name" | "type" | "size">): string | null {
  const isWorkbook = file.type === XLSX_MEDIA_TYPE || (file.type === "" && /\.xlsx$/i.test(file.name));
  return isWorkbook || isCsv(file) ? sizeRefusalOf(file) : fileWords.refusals.type;
}

/** By its name: systems with Excel call the type of such files Excel's. */
export const isCsv = ({ name }: Pick<File, "name">): boolean => /\.(csv|tsv|tab)$/i.test(name);

/** Why a file of this size is not worth sending, null when it is. */
function sizeRefusalOf(file: Pick<File, "size">): string | null {
  if (file.size === 0) return fileWords.refusals.empty;
  return file.size > MAX_FILE_BYTES ? fileWords.refusals.size : null;
}
