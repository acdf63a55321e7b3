import { counted, formatCount, formatDateTime } from "#web/kit/format.ts";

/** Texts of the labels page. */
export const labelWords = {
  title: (product: string) => `${product} Shipping Labels`,
  documentTitle: "Shipping Labels",
  kept: (filename: string) => `${filename} is still here.`,
  tabs: {
    label: "Kinds of labels",
    gs1: "GS1-128 Labels",
    carrier: (retailer: string) => `${retailer} UPS Labels`,
    history: "History",
  },
  later: {
    carrier: "UPS labels aren't here yet",
    carrierText: (retailer: string) =>
      `A later release lists the open orders of ${retailer} here, and makes their UPS labels and packing slips.`,
    history: "UPS labels aren't here yet",
    historyText:
      "A later release lists the UPS labels that were made here, so that you can print or void them.",
  },
  upload: {
    region: "Upload labels",
    choose: "Select label upload file",
    picker: "Label upload file",
    none: "No file chosen",
    upload: "Upload",
    cancel: "Cancel",
    canceled: "Canceled. Nothing was printed.",
    canceledLate:
      "Canceled, but we had already received the file, so its labels may still be made. Look under Earlier uploads: the same file again makes the same labels.",
    template: "Download template",
    templateHref: "/templates/gs1-128-labels.xlsx",
    hint: "One row per carton. We add the SSCC and its check digit. The SSCC cell must stay text, or Excel drops its zeros.",
    errorTitle: "Upload Error",
    several: "Choose one file at a time.",
    guide: "What goes in the file",
    choices: (profile: string, paper: string) => `For this upload: ${profile}, ${paper}`,
    choicesHint: "These choices apply to the next upload only.",
  },
  review: {
    loading: "Checking every row",
    good: "Make labels for the good rows only",
    make: (count: number) => `Make ${counted(count, "label")}`,
    allGood: "All rows are correct now. Your file stays as it is; the labels get what you corrected here.",
    some: (errors: number, labels: number) =>
      `${counted(errors, "problem")} to fix. The good rows make ${counted(labels, "label")}. No label is made and no SSCC is used until you say so.`,
    left: (errors: number) =>
      errors === 0 ? "All rows are correct now." : `${counted(errors, "problem")} to fix.`,
    fixTitle: (count: number) =>
      count === 1 ? "1 cell needs fixing" : `${counted(count, "cell")} need fixing`,
    more: (count: number) =>
      `${counted(count, "more problem")} further down. Fix them in the spreadsheet of problem rows.`,
    row: (row: number) => `Row ${row}`,
    cell: (cell: string) => `Cell ${cell}`,
    remarks: "Worth a look",
    rows: "Rows",
    rowsOf: (filename: string) => `Rows of ${filename}`,
    search: "Purchase order, name or store",
    problemsOf: (row: number) => `Problems of row ${row}`,
    makes: (labels: number) => `Nothing is wrong. It makes ${counted(labels, "label")}.`,
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
  },
  result: {
    ready: "Ready to print",
    title: (count: number, file: string) => `${counted(count, "label")} from ${file}`,
    about: (orders: number, madeAt: string) =>
      `${counted(orders, "purchase order")} · 4 × 6 in · made ${formatDateTime(madeAt)}`,
    again: (prints: number) =>
      `The same labels with the same SSCCs as before, printed ${formatCount(prints)} times now.`,
    lost: "They were made, but their document was lost on the way here. Print or download it now.",
    sameTitle: "These labels were there already",
    same: (madeAt: string, madeBy: string) =>
      `${madeBy} made them of the same rows on ${formatDateTime(madeAt)}. They have the same SSCCs as then, and no new one was used.`,
    remarks: "Worth a look",
    print: (count: number) => `Print ${counted(count, "label")}`,
    download: "Download again",
    zpl: "Download ZPL",
    another: "New upload",
    hint: (isRoll: boolean) =>
      `Print at 100% on ${isRoll ? "4 × 6 label paper" : "Letter label sheets"}. “Fit to page” makes barcodes hard to scan.`,
    table: "Labels by purchase order",
    heads: ["Purchase order", "Cartons", "SSCC range", "Print again"] as const,
    range: (first: string, last: string) =>
      first === last ? first : `…${first.slice(-7)} to …${last.slice(-7)}`,
    loading: "Reading the labels",
    reprint: "Reprint",
    reprintOf: (po: string) => `labels of PO # ${po}`,
    ranges: "Reprint a range",
    rangesHint: "Places of labels, such as 1-20, 35. Reprints keep the same SSCC numbers and cost nothing.",
    preview: {
      place: (place: number, count: number) => `Label ${formatCount(place)} of ${formatCount(count)}`,
      image: (place: number, count: number, sscc: string) =>
        `Label ${formatCount(place)} of ${formatCount(count)}, SSCC ${sscc}`,
      previous: "Previous label",
      next: "Next label",
      loading: "Drawing the label",
      prints: (prints: number) => (prints === 1 ? "Printed once" : `Printed ${formatCount(prints)} times`),
    },
  },
  proof: {
    title: "Proof",
    loading: "Reading every barcode back",
    good: (count: number, read: { symbols: number; labels: number; resolution: string }) =>
      `All ${counted(count, "barcode")} hold what the labels say, and measure what GS1 asks. ${counted(read.symbols, "barcode")} of ${counted(read.labels, "label")} were also read back from the PDF, drawn as dots of a ${read.resolution} dpi printer.`,
    bad: (count: number) => `${counted(count, "fault")} found. Don’t use these labels; contact us.`,
    fault: (label: number, fault: string) => `Label ${formatCount(label)}: ${fault}`,
    report: "verification report",
    reportName: "verification.pdf",
    data: "report as JSON",
    dataName: "verification.json",
    cartons: [
      { format: "csv", type: "carton data as CSV", fileName: "cartons.csv" },
      { format: "json", type: "carton data as JSON", fileName: "cartons.json" },
      { format: "edi", type: "856 draft", fileName: "856-draft.edi" },
    ],
    hint: "The proof is of the PDF. How well your printer prints is measured on paper. In the 856 draft, fill in who sends and receives it.",
  },
  earlier: {
    title: "Earlier uploads",
    ssccs: [
      { type: "list of all SSCCs", fileName: "ssccs.xlsx" },
      { type: "list of all SSCCs as CSV", fileName: "ssccs.csv" },
    ],
    loading: "Reading earlier uploads",
    none: "No other file has become labels yet.",
    about: (madeAt: string, madeBy: string) => `${madeAt} · ${madeBy}`,
    open: "Open",
  },
  profiles: {
    title: "Label profiles",
    note: "What labels look like, and which columns they need. Copy one to make it your own.",
    loading: "Reading the label profiles",
    builtIn: "Comes with the product",
    own: "Your own",
    copy: "Copy",
    copyName: (name: string) => `${name}, copy`,
    copied: (name: string) => `Copied as ${name}.`,
    edit: "Edit",
    remove: "Remove",
    removed: (name: string) => `${name} was removed.`,
  },
} as const;

/** What the template's page of explanations says, in short. */
export const guideWords = {
  intro:
    "The template's Read me sheet lists every column, its meaning, format, an example, and which are required. Columns may be in any order, and other headers are matched once.",
  required: "Required",
  requiredColumns:
    "PO Number, Ship To Name, Ship To Address 1, Ship To City, Ship To State (US and Canada), Ship To Postal Code, Carrier, Qty In Carton.",
  optional: "If you have them",
  optionalColumns:
    "Mark For / Store, PRO / Tracking, BOL, Department, Vendor Number, SKU / Item, UPC / GTIN, Model / Style, Description, Carton Number and Count, Ship From Code, Weight (lb), Ship Date, Reference, Trailer.",
  cartons: "Several equal cartons",
  cartonsText: "Write how many in Cartons, up to 1,000, and the row makes as many labels.",
} as const;
