export { refusalOf, sizeRefusalOf } from "#features/sheets/web/check-file.ts";
export { ColumnsEditor } from "#features/sheets/web/columns-editor.tsx";
export { FilePicker } from "#features/sheets/web/file-picker.tsx";
export { FileQuestion } from "#features/sheets/web/file-question.tsx";
export { ProblemRowsDownload } from "#features/sheets/web/problem-rows-download.tsx";
export { RememberedAnswers } from "#features/sheets/web/remembered-answers.tsx";
export { RememberedTable, type Remembered } from "#features/sheets/web/remembered-table.tsx";
export { fileWords } from "#features/sheets/web/words.ts";
