import { counted, formatCount } from "#web/kit/format.ts";
import { joinList } from "#web/kit/join-list.ts";

/** UI text for the form for typed and pasted invoices. */
export const formWords = {
  intro:
    "Each row is one line. Rows with the same invoice number become one invoice. You can paste from Excel, or",
  filename: "Typed invoices",
  grid: "Invoice entry",
  rowNumber: "Row 1, the headers",
  cell: (header: string, row: number) => `${header}, row ${row}`,
  add: (count: number) => `Add ${count} rows`,
  clear: "Clear all",
  cleared: "Everything typed was cleared.",
  full: (left: number, most: number) =>
    `Only ${formatCount(most)} rows fit here, so ${counted(left, "row")} ${left === 1 ? "was" : "were"} left out. Upload longer lists as a spreadsheet.`,
  unknown: (headers: readonly string[]) =>
    `This form has no column for ${joinList(headers.map((header) => `"${header.trim()}"`))}, so ${headers.length === 1 ? "it was" : "they were"} left out. Upload the spreadsheet to keep all columns.`,
  pasted: (rows: number) => `${counted(rows, "row")} pasted`,
  someLeft: (rows: number) => `${counted(rows, "row")} still ${rows === 1 ? "needs" : "need"} fixing.`,
  skipped: (rows: number) =>
    `${counted(rows, "row")} ${rows === 1 ? "was" : "were"} skipped. See Results for the reasons.`,
  restPosted: "The rest are posted.",
} as const;
