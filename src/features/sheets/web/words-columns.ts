import { counted, formatCount } from "#web/kit/format.ts";

/** UI text for the column matching step, loaded with it. */
export const columnsWords = {
  title: "Match your columns",
  toGo: (count: number) => `${counted(count, "question")} to go`,
  allMatched: "All columns matched",
  cancel: "Cancel",
  intro: (sheet: string, row: number) =>
    `Sheet "${sheet}", headers in row ${formatCount(row)}. We'll remember your choices.`,
  sheets: "Sheets to read",
  noSheet: "Choose at least one sheet.",
  unused: (count: number) => `${counted(count, "column")} not used`,
  layout: (title: string, matched: number) =>
    `This looks like a ${title}; we matched ${counted(matched, "column")}. Check them.`,
  layoutHint: "Once you continue, we'll remember it for every file with these headers.",
  otherLayout: "It's something else",
  total: (records: number, amount: string, waiting: { columns: number; rows: number }) => {
    const open = [
      waiting.columns > 0 && counted(waiting.columns, "column"),
      waiting.rows > 0 && counted(waiting.rows, "row"),
    ].filter(Boolean);
    const note = open.length > 0 ? ` (${open.join(" and ")} not decided yet)` : "";
    return `With these answers: ${counted(records, "invoice")}, ${amount}${note}`;
  },
  ifMeant: (header: string, amount: string) => `${header}: ${amount}`,
  ifIgnored: (amount: string) => `Ignored: ${amount}`,
  ifAnswered: "Total to bill, by answer",
  waiting: (headers: readonly string[]) =>
    `Choose which values to bill: ${headers.map((header) => `"${header}"`).join(", ")}.`,
  noOrder: "Choose whether the month or the day comes first.",
  known: (count: number) => `${counted(count, "column")} already matched`,
  column: "Column",
  samples: "First values",
  meaning: "Meaning",
  meaningLabel: (column: string, header: string) => `Meaning of column ${column}, ${header}`,
  unknown: "Choose…",
  ignore: "Ignore this column",
  guessed: "Our guess",
  use: "Use",
  useLabel: (header: string) => `Use our guess for ${header}`,
  useAll: (count: number) => `Use all ${formatCount(count)} suggestions`,
  required: (header: string) => `${header} (required)`,
  missing: (headers: readonly string[]) =>
    `Still missing: ${headers.join(", ")}. Choose a column for ${headers.length === 1 ? "it" : "each"}.`,
  open: (headers: readonly string[]) => `Match or ignore ${headers.join(", ")}.`,
  showRows: "Show the rows",
  exampleRow: (row: string, texts: readonly string[]) => `Row ${row}: ${texts.join(" · ")}`,
  moreRows: (count: number) => `and ${counted(count, "more row")}`,
  sum: (sum: string) => `Sum ${sum}`,
  orElse: (header: string, others: string) => `${header} (or ${others})`,
  twice: (header: string) => `${header} is matched twice. Keep one.`,
  save: "Save and continue",
  saved: "Columns saved.",
} as const;
