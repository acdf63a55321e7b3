import type { Config } from "#platform/config/read-config.ts";

/** Stripe's addresses and our credentials. */
export type StripeConfig = NonNullable<Config["stripe"]>;

/** The shapes we read are those of this version; the SDK is pinned to the release whose types are of it. */
export const STRIPE_API_VERSION = "2023-10-16";

/** Origins of the card fields and of 3-D Secure on the real service, besides that of its script. */
const BROWSER_ORIGINS = ["https://hooks.stripe.com", "https://api.stripe.com"];

/** Every origin that a page of ours reaches for a payment; for the content security policy. */
export function browserOrigins(config: StripeConfig): string[] {
  const own = new URL(config.scriptUrl).origin;
  return config.simulator ? [own] : [own, ...BROWSER_ORIGINS];
}
