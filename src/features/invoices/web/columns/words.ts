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
  twice: (header: string) => `Two columns cannot both mean ${header}. Choose it for one of them.`,
  save: "Remember and go on",
  saved: "The columns are remembered.",
} as const;
