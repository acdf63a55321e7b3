import { counted } from "#web/kit/format.ts";

/** Texts about differences from the vendors' records. */
export const differenceWords = {
  row: {
    name: "differences",
    title: "Differences",
    note: "Every night we compare our records with UPS, Stripe, and QuickBooks",
    loading: "Loading the differences",
  },
  count: (differences: number) => counted(differences, "difference"),
  noneState: "None",
  none: "Our records match those of UPS, Stripe, and QuickBooks.",
  unchanged: "We haven't changed anything. Here is what to do about each:",
  found: (day: string) => `Found ${day}`,
} as const;
