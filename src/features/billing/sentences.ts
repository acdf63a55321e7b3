import type { Price } from "#features/billing/tables.ts";

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** The price of a service, such as `$29.00 a month` or `$80.00 every 3 months`. */
export const priceText = ({ cents, interval }: Pick<Price, "cents" | "interval">): string =>
  `${dollars.format(cents / 100)} ${/^\d/.test(interval) ? "every" : "a"} ${interval}`;

/** Price of a service, for visitors without a company. */
export const priceNote = (price: Price, trialDays: number): string =>
  `${price.product_name} costs ${priceText(price)} for each company${trialDays > 0 ? `; the first ${trialDays} days are free` : ""}.`;
