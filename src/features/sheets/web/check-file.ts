import { MAX_FILE_BYTES, XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { fileWords } from "#features/sheets/web/words.ts";

/** Why a chosen file is not worth sending, null when it is. Systems that do not know the type leave it empty. */
export function refusalOf(file: Pick<File, "name" | "type" | "size">): string | null {
  const isWorkbook = file.type === XLSX_MEDIA_TYPE || (file.type === "" && /\.xlsx$/i.test(file.name));
  return isWorkbook ? sizeRefusalOf(file) : fileWords.refusals.type;
}

/** Why a file of this size is not worth sending, null when it is. */
export function sizeRefusalOf(file: Pick<File, "size">): string | null {
  if (file.size === 0) return fileWords.refusals.empty;
  return file.size > MAX_FILE_BYTES ? fileWords.refusals.size : null;
}
