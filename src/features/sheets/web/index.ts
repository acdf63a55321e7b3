export { checkFile } from "#features/sheets/web/check-file.ts";
export { FilePicker } from "#features/sheets/web/file-picker.tsx";
export { FailedFile, isQuestion } from "#features/sheets/web/failed-file.tsx";
export { ColumnsEditor, RecordTable } from "#features/sheets/web/lazy-parts.tsx";
export { Notes } from "#features/sheets/web/notes.tsx";
export { ProblemRowsDownload } from "#features/sheets/web/problem-rows-download.tsx";
export type { Remembered } from "#features/sheets/web/queries.ts";
export { RememberedAnswers, RememberedTable } from "#features/sheets/web/remembered-answers.tsx";
export { CorrectedCells, LeftOut } from "#features/sheets/web/review-changes.tsx";
export {
  FindLink,
  LeaveOutButton,
  RECORDS,
  ReviewRow,
  ReviewRows,
} from "#features/sheets/web/review-rows.tsx";
export type { RecordColumn, RecordFilter } from "#features/sheets/web/rules-records.ts";
export { WrongCells, type FixedCell } from "#features/sheets/web/wrong-cells.tsx";
export { fileWords } from "#features/sheets/web/words.ts";
