/** UI text for the labels page around its tabs. */
export const labelPageWords = {
  title: (product: string) => `${product} Shipping Labels`,
  documentTitle: "Shipping Labels",
  kept: (filename: string) => `${filename} is still selected.`,
  tabs: {
    label: "Label types",
    gs1: "GS1-128 Labels",
    carrier: (retailer: string) => retailer,
    history: "History",
  },
} as const;
