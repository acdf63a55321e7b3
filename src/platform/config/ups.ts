import type { Variables } from "#platform/config/schema.ts";

export function upsChecks(variables: Partial<Variables>): [boolean, string][] {
  const { UPS_CLIENT_ID: id, UPS_CLIENT_SECRET: secret } = variables;
  return [
    [!id !== !secret, "UPS_CLIENT_ID and UPS_CLIENT_SECRET go together: set both, or neither."],
    [
      Boolean(id) && variables.UPS_ENVIRONMENT === "production" && !variables.INTUIT_CLIENT_ID,
      "UPS_ENVIRONMENT is production, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    ],
  ];
}

const UPS_HOSTS = { test: "https://wwwcie.ups.com", production: "https://onlinetools.ups.com" };

/** Where UPS is and who we are there; null where no UPS accounts are connected: with real companies and no keys. */
export function readUps(variables: Variables, publicUrl: string) {
  const { UPS_CLIENT_ID: clientId, UPS_CLIENT_SECRET: clientSecret } = variables;
  /** Must equal a registered address byte for byte. */
  const redirectUri = `${publicUrl}/ups-callback`;
  if (clientId && clientSecret)
    return { baseUrl: UPS_HOSTS[variables.UPS_ENVIRONMENT], clientId, clientSecret, redirectUri };
  if (variables.INTUIT_CLIENT_ID) return null;
  return {
    baseUrl: `http://localhost:${variables.SIM_UPS_PORT}`,
    clientId: "dockside-demo",
    clientSecret: "dockside-demo-secret",
    redirectUri,
  };
}
