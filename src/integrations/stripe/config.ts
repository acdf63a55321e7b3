import type { Config } from "#platform/config/read-config.ts";

/** Stripe's addresses and our credentials. */
export type StripeConfig = NonNullable<Config["stripe"]>;

/** Version of the objects we read; the SDK is pinned to the release with types of this version. */
export const STRIPE_API_VERSION = "2023-10-16";

/** Origins of the card fields and of 3-D Secure on the real service, besides the script's. */
const BROWSER_ORIGINS = ["https://hooks.stripe.com", "https://api.stripe.com"];

/** Every origin that our pages contact for a payment, for the content security policy. */
export function browserOrigins(config: StripeConfig): string[] {
  const own = new URL(config.scriptUrl).origin;
  return config.simulator ? [own] : [own, ...BROWSER_ORIGINS];
}
