import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import { formatCount } from "#web/kit/format.ts";

/** Texts of the step that says what columns mean. */
export const columnsWords = {
  offer: "Tell us what the columns mean",
  title: "What the columns mean",
  loading: "Reading the columns",
  intro: (sheet: string, row: number) =>
    `Sheet "${sheet}", headers in row ${formatCount(row)}. Your choice is remembered for every later upload of this company.`,
  column: "Column",
  samples: "First values",
  meaning: "Meaning",
  meaningOf: (column: string, header: string) => `Meaning of column ${column}, ${header}`,
  unknown: "Not chosen",
  ignore: "Leave out",
  required: (header: string) => `${header} (required)`,
  missing: (headers: string) => `Still missing: ${headers}. Choose a column for each.`,
  orElse: (header: string, others: string) => `${header} (or ${others})`,
  twice: (header: string) => `Two columns cannot both mean ${header}. Choose it for one of them.`,
  save: "Remember and go on",
  saved: "The columns are remembered.",
} as const;

/** Texts of choosing a file. */
export const fileWords = {
  choose: "Choose spreadsheet",
  picker: "Spreadsheet to upload",
  drop: "or drop a file here",
  dropNow: "Drop the spreadsheet here",
  none: "No file chosen",
  clear: (filename: string) => `Remove ${filename}`,
  refusals: {
    type: "The selected file must be an XLSX spreadsheet.",
    empty: "The selected file is empty.",
    size: `The selected file must be smaller than ${MAX_FILE_BYTES / 1024 / 1024} MB.`,
    several: "Choose one file at a time.",
  },
} as const;

/** Texts of what is remembered of the files of a company. */
export const rememberedWords = {
  columns: {
    title: "Columns",
    none: "No column has been remembered for this company.",
    loading: "Reading the remembered columns",
    heads: ["Header in a file", "Meaning", ""] as readonly string[],
  },
  dateOrder: {
    title: "Dates",
    none: "Nobody has said for this company how dates are written.",
    loading: "Reading how dates are written",
    heads: ["In a file", "Read as", ""] as readonly string[],
  },
  dates: "Dates such as 03/04/2026",
  dateOrders: { mdy: "Month first: March 4", dmy: "Day first: April 3" },
  leftOut: "Left out",
  forget: "Forget",
  forgotten: (text: string) => `${text} was forgotten.`,
} as const;

/** Texts of the problem workbook. */
export const problemRowsWords = {
  type: "problem rows",
  of: (filename: string) => `of ${filename}`,
  fileName: (filename: string) => `problems-${filename}`,
} as const;

/** Texts of the step that says whether the day or the month comes first. */
export const dateOrderWords = {
  question: "What comes first in the dates of this file?",
  orders: {
    mdy: "The month: 12/31/2026 is December 31",
    dmy: "The day: 31/12/2026 is December 31",
  },
  hint: "Your answer is remembered for files of this company that do not show it themselves.",
  save: "Remember and go on",
  saved: "The order of dates is remembered.",
} as const;

/** Texts of a table of records. */
export const recordsWords = {
  show: "Show",
  none: "Nothing matches. Change the search or the filter.",
} as const;
