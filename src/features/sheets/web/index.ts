export { checkFile } from "#features/sheets/web/check-file.ts";
export { CsvButton } from "#features/sheets/web/csv-button.tsx";
export { FilePicker } from "#features/sheets/web/file-picker.tsx";
export { FailedFile, isQuestion } from "#features/sheets/web/failed-file.tsx";
export { ColumnsEditor, RecordTable } from "#features/sheets/web/lazy-parts.tsx";
export { Notes } from "#features/sheets/web/notes.tsx";
export { ProblemRowsDownload } from "#features/sheets/web/problem-rows-download.tsx";
export type { RecordColumn, RecordFilter } from "#features/sheets/web/rules-records.ts";
export { fileWords } from "#features/sheets/web/words.ts";
