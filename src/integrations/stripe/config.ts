import type { Config } from "#platform/config/read-config.ts";

/** Where Stripe is and who we are there. */
export type StripeConfig = NonNullable<Config["stripe"]>;

/** The shapes we read are those of this version; the SDK is pinned to the release whose types are of it. */
export const STRIPE_API_VERSION = "2023-10-16";

/** Where the card fields and the bank's question live on the real service, beside its script. */
const BROWSER_ORIGINS = ["https://hooks.stripe.com", "https://api.stripe.com"];

/** Every origin that a page of ours reaches for a payment; for the content security policy. */
export function browserOrigins(config: StripeConfig): string[] {
  const own = new URL(config.scriptUrl).origin;
  return config.simulator ? [own] : [own, ...BROWSER_ORIGINS];
}
