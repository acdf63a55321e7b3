import { counted, formatCount, formatMoment, formatLocalDay } from "#web/kit/format.ts";

/** UI text for the review of a file with problems, loaded with it. */
export const reviewWords = {
  good: "Make labels for the good rows only",
  make: (count: number) => `Make ${counted(count, "label")}`,
  allGood: "All rows are correct now. Your file doesn't change; the labels use your corrections.",
  some: (errors: number, labels: number) =>
    `${counted(errors, "problem")} to fix. The good rows make ${counted(labels, "label")}. Nothing is made, and no SSCC is used, until you choose to.`,
  left: (errors: number) =>
    errors === 0 ? "All rows are correct now." : `${counted(errors, "problem")} to fix.`,
  fixTitle: (count: number) =>
    count === 1 ? "1 cell needs fixing" : `${counted(count, "cell")} need fixing`,
  more: (count: number) =>
    `${counted(count, "more problem")} further down. Fix them in the spreadsheet of problem rows.`,
  row: (row: number) => `Row ${row}`,
  cell: (cell: string) => `Cell ${cell}`,
  rows: "Rows",
  rowsIn: (filename: string) => `Rows of ${filename}`,
  search: "Purchase order, name, or store",
  problemsIn: (row: number) => `Problems of row ${row}`,
  /** The problems themselves are shown once, each at its field. */
  above: (cells: readonly string[]) =>
    cells.length === 0 ? "Fix it in the spreadsheet of problem rows." : `Fix it above: ${cells.join(", ")}.`,
  makes: (labels: number) =>
    labels === 0
      ? "Nothing is wrong. It's part of a carton whose label is made in a row above."
      : `Nothing is wrong. It makes ${counted(labels, "label")}.`,
  heads: {
    row: "Row",
    order: "Purchase order",
    shipTo: "Ship to",
    store: "Store",
    labels: "Labels",
    state: "State",
  },
  filters: { all: "All", ready: "Ready", fix: "Need fixing" },
  states: { ready: "Ready", fix: "Needs fixing" },
} as const;

/** UI text for finished labels, loaded with them. */
export const resultWords = {
  ready: "Ready to print",
  title: (count: number, file: string) => `${counted(count, "label")} from ${file}`,
  about: (orders: number, madeAt: string) =>
    `${counted(orders, "purchase order")} · 4 × 6 in · made ${formatMoment(madeAt)}`,
  again: (prints: number) =>
    `The same labels and SSCCs as before. Printed ${formatCount(prints)} times so far.`,
  lost: "The labels were made, but the file didn't reach your browser. Print or download it now.",
  sameTitle: (madeBy: string | null, madeAt: string) =>
    `${madeBy ?? "You"} already made these labels on ${formatLocalDay(madeAt)}`,
  same: "Same SSCCs; no new ones were used.",
  print: (count: number) => `Print ${counted(count, "label")}`,
  download: "Download again",
  zpl: "Download ZPL",
  another: "New upload",
  hint: (isRoll: boolean) =>
    `Print at 100% on ${isRoll ? "4 × 6 label paper" : "Letter label sheets"}. "Fit to page" makes barcodes hard to scan.`,
  decoded: "All barcodes passed: data and size meet GS1 specs.",
  cartons: "list of these SSCCs",
  table: "Labels by purchase order",
  heads: ["Purchase order", "Cartons", "Serials", "Print again"] as const,
  /** Leaves out check digits, so that a range is as long as its number of cartons. */
  range: (first: string, last: string) =>
    first === last ? first : `…${first.slice(-7, -1)} to …${last.slice(-7, -1)}`,
  reprint: "Reprint",
  reprintOrder: (po: string) => `labels of PO # ${po}`,
  options: "Print options",
  ranges: "Reprint a range",
  rangesHint: "Labels such as 1-3, 5. Reprints keep their SSCCs and cost nothing.",
  preview: {
    place: (place: number, count: number) => `Label ${formatCount(place)} of ${formatCount(count)}`,
    image: (place: number, count: number, sscc: string) =>
      `Label ${formatCount(place)} of ${formatCount(count)}, SSCC ${sscc}`,
    previous: "Previous label",
    next: "Next label",
    loading: "Loading the label",
    prints: (prints: number) => (prints === 1 ? "Printed once" : `Printed ${formatCount(prints)} times`),
  },
} as const;
