import type { Variables } from "#platform/config/schema.ts";

export function upsChecks(variables: Partial<Variables>): [boolean, string][] {
  const { UPS_CLIENT_ID: id, UPS_CLIENT_SECRET: secret } = variables;
  const { UPS_ALERT_CLIENT_ID: alertId, UPS_ALERT_CLIENT_SECRET: alertSecret } = variables;
  return [
    [
      !alertId !== !alertSecret,
      "UPS_ALERT_CLIENT_ID and UPS_ALERT_CLIENT_SECRET go together: set both, or neither.",
    ],
    [!id !== !secret, "UPS_CLIENT_ID and UPS_CLIENT_SECRET go together: set both, or neither."],
    [
      Boolean(id) && variables.UPS_ENVIRONMENT === "production" && !variables.INTUIT_CLIENT_ID,
      "UPS_ENVIRONMENT is production, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    ],
  ];
}

/** The client under which UPS asks for a token before it sends events of whole accounts; null for events of packages only. */
export function readAlertClient({ UPS_ALERT_CLIENT_ID: id, UPS_ALERT_CLIENT_SECRET: secret }: Variables) {
  return id && secret ? { id, secret } : null;
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
