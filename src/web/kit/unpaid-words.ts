/** Texts of an unpaid renewal; apart from the others, which every page loads. */
export const unpaidWords = {
  title: "The last payment failed",
  text: (day: string) =>
    `The renewal of the Tracking Service wasn't paid. It stays on until ${day}, then tracking stops; data and settings are kept.`,
  link: "Fix the payment in Settings",
} as const;
