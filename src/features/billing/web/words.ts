/** Texts of the payment recording page. */
export const completionWords = {
  title: "Recording Payment",
  text: "This page is not finished yet. Paid services come with a later version; no payment was taken here.",
  settings: "Go to Settings",
} as const;
