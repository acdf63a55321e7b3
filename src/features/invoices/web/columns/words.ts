/** Texts of the step that tells what columns mean. */
export const columnsWords = {
  offer: "Tell us what the columns mean",
  title: "What the columns mean",
  loading: "Reading the columns",
  intro: (sheet: string, row: string) =>
    `Sheet "${sheet}", headers in row ${row}. Your choice is remembered for every later upload of this company.`,
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

/** Texts of the step that tells whether the day or the month comes first. */
export const dateOrderWords = {
  question: "What comes first in the dates of this file?",
  orders: {
    mdy: "The month: 12/31/2026 is December 31",
    dmy: "The day: 31/12/2026 is December 31",
  },
  hint: "Your answer is remembered for files of this company that do not tell it themselves.",
  save: "Remember and go on",
  saved: "The order of dates is remembered.",
} as const;
