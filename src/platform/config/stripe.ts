import type { Variables } from "#platform/config/schema.ts";

/** Real money is accepted only if everything else is real too. */
export function stripeChecks(variables: Partial<Variables>): [boolean, string][] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = variables;
  const isLive = (key: string | undefined) => key?.includes("_live_") ?? false;
  return [
    [
      !secret !== !publishable,
      "STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY go together: set both, or neither.",
    ],
    [
      Boolean(secret && publishable) && isLive(secret) !== isLive(publishable),
      "STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both be test keys.",
    ],
    [
      isLive(secret) && !variables.INTUIT_CLIENT_ID,
      "STRIPE_SECRET_KEY is a live key, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    ],
  ];
}

const STRIPE_HOSTS = {
  apiBaseUrl: "https://api.stripe.com",
  scriptUrl: "https://js.stripe.com/v3/",
  portalOrigin: "https://billing.stripe.com",
};

/** Reads Stripe's addresses and our credentials. */
export function readStripe(variables: Variables) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = variables;
  const webhookSecrets = variables.STRIPE_WEBHOOK_SECRETS;
  if (secretKey && publishableKey) {
    const isLive = secretKey.includes("_live_");
    return {
      ...STRIPE_HOSTS,
      secretKey,
      publishableKey,
      webhookSecrets: webhookSecrets ?? [],
      isLive,
      simulator: false,
    };
  }
  if (variables.INTUIT_CLIENT_ID) return null;
  return {
    ...simulatedStripe(`http://localhost:${variables.SIM_STRIPE_PORT}`),
    secretKey: "sk_test_dockside",
    publishableKey: "pk_test_dockside",
    webhookSecrets: webhookSecrets ?? ["whsec_dockside"],
    isLive: false,
    simulator: true,
  };
}

/** Addresses of a simulated Stripe at an origin. */
export const simulatedStripe = (origin: string) => ({
  apiBaseUrl: origin,
  scriptUrl: `${origin}/v3/`,
  portalOrigin: origin,
});
