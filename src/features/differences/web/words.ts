/** Texts of the card about differences. */
export const differenceWords = {
  title: "Differences",
  note: "Every night our records are compared with UPS, Stripe and QuickBooks. Nothing is changed by that: these differ.",
  found: (day: string) => `Found ${day}`,
} as const;
