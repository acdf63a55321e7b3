/** Texts of the labels page. */
export const labelWords = {
  title: (product: string) => `${product} Shipping Labels`,
  documentTitle: "Shipping Labels",
  text: "This page is not finished yet. GS1-128 labels, carrier labels and their history come with a later version.",
} as const;
