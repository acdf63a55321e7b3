import * as client from "openid-client";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";

export const SIGN_IN_TIMEOUT_MS = 30_000;
const KEEP_MS = 24 * 60 * 60 * 1000;
const KEEP_FALLBACK_MS = 5 * 60 * 1000;

const ISSUER = "https://oauth.platform.intuit.com/op/v1";

/**
 * Returns the openid-client configuration, discovered once a day. The real service's addresses are known, so
 * sign-in works even if its discovery document is unavailable or names another issuer.
 */
export function createDiscovery(
  config: IntuitConfig,
  { fetch, clock, log }: { fetch: OutboundFetch; clock: Clock; log: Log },
): () => Promise<client.Configuration> {
  const authentication = client.ClientSecretBasic(config.clientSecret);
  const harden = [
    client.enableNonRepudiationChecks,
    ...(config.simulator ? [client.allowInsecureRequests] : []),
  ];
  const outbound = throughOutbound(fetch);
  let kept: { server: client.Configuration; until: number } | null = null;

  const discover = async () => {
    const server = await client.discovery(new URL(config.discoveryUrl), config.clientId, {}, authentication, {
      [client.customFetch]: outbound,
      execute: harden,
      timeout: SIGN_IN_TIMEOUT_MS / 1000,
    });
    // The library compares it with an issuer's own address only, which that of Intuit's discovery is not.
    if (!config.simulator && server.serverMetadata().issuer !== ISSUER) throw new OtherIssuer();
    return server;
  };

  const known = () => {
    const server = new client.Configuration(knownAddresses(config), config.clientId, {}, authentication);
    server[client.customFetch] = outbound;
    for (const apply of harden) apply(server);
    return server;
  };

  return async () => {
    const now = clock.now().getTime();
    if (kept && now < kept.until) return kept.server;
    try {
      kept = { server: await discover(), until: now + KEEP_MS };
    } catch (error) {
      if (config.simulator) throw error;
      const failure = error instanceof Error ? error.name : "unknown";
      log.warn({ failure }, "Intuit's discovery failed; using known addresses");
      kept = { server: known(), until: now + KEEP_FALLBACK_MS };
    }
    return kept.server;
  };
}

/** Its name is logged, as that of any failure of the discovery. */
class OtherIssuer extends Error {
  override name = "OtherIssuer";
}

const knownAddresses = ({ discoveryUrl }: IntuitConfig): client.ServerMetadata => ({
  issuer: ISSUER,
  authorization_endpoint: "https://appcenter.intuit.com/connect/oauth2",
  token_endpoint: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer",
  revocation_endpoint: "https://developer.api.intuit.com/v2/oauth2/tokens/revoke",
  userinfo_endpoint: `https://${discoveryUrl.includes("sandbox") ? "sandbox-" : ""}accounts.platform.intuit.com/v1/openid_connect/userinfo`,
  jwks_uri: "https://oauth.platform.intuit.com/op/v1/jwks",
  id_token_signing_alg_values_supported: ["RS256"],
});

function throughOutbound(fetch: OutboundFetch): client.CustomFetch {
  return (url, { method, body, headers, signal }) =>
    fetch(url, {
      method,
      // openid-client sends only forms; as text they are one small body with a length.
      body: body instanceof URLSearchParams ? body.toString() : null,
      // Without it the token endpoint does not report the final end of an authorization; other endpoints
      // ignore it.
      headers: { ...headers, "x-include-refresh-token-hard-expires-in": "true" },
      timeoutMs: SIGN_IN_TIMEOUT_MS,
      ...(signal ? { signal } : {}),
    });
}
