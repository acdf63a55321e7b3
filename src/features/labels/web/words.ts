/** UI text for GS1 labels. */
export const labelWords = {
  upload: {
    region: "Upload labels",
    choose: "Select label upload file",
    picker: "Label upload file",
    none: "No file chosen",
    upload: "Upload",
    cancel: "Cancel",
    canceled: "Canceled. Nothing was printed.",
    canceledLate:
      "Canceled, but we had already received the file, so its labels may still be made. Look under Earlier uploads. Uploading the same file again gives the same labels.",
    template: "Download template",
    templateHref: "/templates/gs1-128-labels.xlsx",
    drop: "Or drop the file here.",
    hints: [
      "One row per carton.",
      "We add the SSCC and its check digit.",
      "The SSCC cell must stay text, or Excel drops its leading zeros.",
    ],
    errorTitle: "Upload Error",
    rowsFailed: "No labels were made. Fix the rows below.",
    whatFailed: "What's wrong",
    several: "Choose one file at a time.",
    guide: "What goes in the file",
    choices: (profile: string, paper: string) => `For this upload: ${profile}, ${paper}`,
    choicesHint: "These choices apply to the next upload only.",
  },
  loading: "Loading the label settings",
  review: { loading: "Checking every row" },
  result: { loading: "Loading the labels" },
  earlier: {
    title: "Earlier uploads",
    ssccs: "list of all SSCCs",
    none: "No labels from other files yet.",
    making: "Making labels…",
    refused: (filename: string) => `No labels were made from ${filename}`,
    about: (madeAt: string, madeBy: string) => `${madeAt} · ${madeBy}`,
    open: "Open",
  },
} as const;

/** Short form of the template's page of explanations. */
export const guideWords = {
  intro:
    "The template's Read me sheet explains every column: what it means, its format, an example, and whether it's required. Columns can be in any order, and you match other headers only once.",
  required: "Required",
  requiredColumns:
    "PO Number, Ship To Name, Ship To Address 1, Ship To City, Ship To State (US and Canada), Ship To Postal Code, Carrier, Qty In Carton.",
  optional: "If you have them",
  optionalColumns:
    "Mark For / Store, PRO / Tracking, BOL, Department, Vendor Number, SKU / Item, UPC / GTIN, Model / Style, Description, Carton Number and Count, Ship From Code, Weight (lb), Ship Date, Reference, Trailer, PO Type, Lot / Batch, Best Before, Expiration Date, Item Serial Number, Retailer Data, Pallet.",
  cartons: "Several identical cartons",
  pallets: "Pallets",
  palletsText: "Cartons that share a Pallet value also get one pallet label with its own SSCC.",
  cartonsText: "Enter a number in Cartons (up to 1,000) to print that many labels.",
} as const;
