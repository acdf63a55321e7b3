/** Texts of the labels page. */
export const labelWords = {
  title: (product: string) => `${product} Shipping Labels`,
  documentTitle: "Shipping Labels",
  notYet: "Coming soon: shipping labels",
  text: "You'll make GS1-128 carton labels and UPS labels from your retailers' orders here, and reprint or void them later.",
} as const;
