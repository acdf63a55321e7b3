/** UI text for the print choices. */
export const printWords = {
  paper: "Paper",
  papers: [
    { value: "roll", label: "4 × 6 in roll" },
    { value: "letter-2", label: "Letter, 2 labels a sheet" },
    { value: "letter-4", label: "Letter, 4 labels a sheet" },
  ],
  order: "Order",
  orders: [
    { value: "file", label: "As in the file" },
    { value: "po", label: "By purchase order" },
    { value: "store", label: "By store" },
  ],
  separators: "Add a cover page for each PO or store",
  test: "test page",
  testOf: { pdf: "(PDF)", zpl: "(ZPL)" },
  testHint: "Print a test page first to check size and resolution.",
} as const;
