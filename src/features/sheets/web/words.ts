import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import { counted, formatCount, rowsText } from "#web/kit/format.ts";

/** UI text for the column matching step before it is loaded. */
export const loadingWords = { columns: "Reading the columns" } as const;

/** UI text for the file picker. */
export const fileWords = {
  choose: "Choose spreadsheet",
  change: "Change file",
  picker: "Spreadsheet to upload",
  csvPicker: "CSV file to upload",
  drop: "Drop your spreadsheet here",
  dropNow: "Drop to choose this file",
  takes: (rows: number) => `.xlsx or .csv, up to ${formatCount(rows)} rows`,
  csv: "choose a CSV file",
  ready: (size: string) => `${size} · ready to upload`,
  replace: "Drop another file here to replace it",
  isCsv: "That's a CSV file. We'll upload it as CSV.",
  clear: (filename: string) => `Remove ${filename}`,
  refusals: {
    type: "The selected file must be an XLSX spreadsheet.",
    oldExcel: "The selected file must be an XLSX spreadsheet. Save it as .xlsx.",
    empty: "The selected file is empty.",
    size: `The selected file must be smaller than ${MAX_FILE_BYTES / 1024 / 1024} MB.`,
    several: "Choose one file at a time.",
  },
} as const;

/** UI text for saved choices. */
export const rememberedWords = {
  columns: {
    title: "Columns",
    none: "No columns saved.",
    loading: "Loading the saved columns",
    heads: ["Header in a file", "Meaning", "Action"] as readonly string[],
  },
  dateOrder: {
    title: "Dates",
    none: "No date format saved.",
    loading: "Loading the saved date format",
    heads: ["In a file", "Read as", "Action"] as readonly string[],
  },
  dates: "Dates such as 03/04/2026",
  dateOrders: { mdy: "Month first: March 4", dmy: "Day first: April 3" },
  sheet: (name: string) => `Sheet ${name}`,
  without: (header: string) => `Files without ${header}`,
  leftOut: "Ignored",
  layout: (title: string) => `Sheets like a ${title}`,
  layoutUsed: "Read as that export",
  layoutNotUsed: "Read like any other sheet",
  forget: "Forget",
  forgotten: (text: string) => `${text} was forgotten.`,
  changed: (text: string) => `${text} was changed.`,
} as const;

/** Texts about totals of a file. */
export const totalsWords = {
  differ: (count: number) =>
    count === 1 ? "A total of the file doesn't add up" : "Totals of the file don't add up",
} as const;

/** UI text for the problem workbook. */
export const problemRowsWords = {
  type: "problem rows",
  of: (filename: string) => `of ${filename}`,
  fileName: (filename: string) => `problems-${filename}`,
} as const;

/** UI text for the date order question. */
export const dateOrderWords = {
  question: "Which comes first?",
  orders: {
    mdy: "Month (12/31)",
    dmy: "Day (31/12)",
  },
  hint: "We'll use your answer for this company's future files.",
  save: "Save and continue",
  saved: "Date format saved.",
} as const;

/** UI text for the remarks on a file. */
export const notesWords = { title: (count: number) => counted(count, "note") } as const;

/** UI text for the table of records. */
export const recordsWords = {
  show: "Show",
  none: "Nothing matches. Change the search or the filter.",
} as const;

/** UI text for wrong cells and their correction. */
export const wrongWords = {
  hint: "Fix a cell here, or fix it in your file later. Your file itself doesn't change.",
  times: (count: number, header: string) =>
    header ? `${header}, ${formatCount(count)} times` : `${formatCount(count)} times`,
  fixCells: (count: number) => `Fix ${counted(count, "cell")}`,
  find: (name: string) => `Show ${name} below`,
  column: (header: string) => header && ` · ${header}`,
  cure: (text: string) => text && ` · ${text}`,
  was: (value: string) => value || "Blank",
  cellLabel: (header: string, name: string) => `${header} of ${name}`,
  use: "Use",
  leaveOut: "Leave out",
  leaveOutLabel: (name: string) => `Leave out ${name}`,
  leftOut: (count: number) => `${formatCount(count)} left out`,
  putBack: "Put back",
  putBackLabel: (name: string) => `Put back ${name}`,
  corrected: (count: number) => counted(count, "correction"),
  correction: (place: string, header: string) => `Row ${place}, ${header}:`,
  undo: "Undo",
  undoLabel: (place: string, header: string) => `Undo the correction of ${header} in row ${place}`,
  cell: (cell: string) => `Cell ${cell}`,
  group: (count: number, column: string | null, rows: string) =>
    `${formatCount(count)}× in ${column ? `column ${column}, ` : ""}rows ${rows}`,
  inRows: (rows: string) => rowsText("Row", rows),
} as const;
