/** Texts of the payment recording page. */
export const completionWords = {
  title: "Recording Payment",
  notYet: "Coming soon: paid services",
  text: "No payment was taken. Once paid services start, this page confirms your payment and turns your service on.",
  settings: "Back to Settings",
} as const;
