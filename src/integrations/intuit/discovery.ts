import * as client from "openid-client";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";

export const SIGN_IN_TIMEOUT_MS = 30_000;
const KEEP_MS = 24 * 60 * 60 * 1000;
const KEEP_FALLBACK_MS = 5 * 60 * 1000;

type Deps = { fetch: OutboundFetch; clock: Clock; log: Log };

/**
 * Gives the openid-client configuration, discovered once a day. The real service's addresses are known, so its
 * discovery document being unreachable stops nobody from signing in.
 */
export function createDiscovery(config: IntuitConfig, deps: Deps): () => Promise<client.Configuration> {
  let kept: { value: Promise<client.Configuration>; until: number } | null = null;

  async function discover(): Promise<client.Configuration> {
    try {
      return await client.discovery(
        new URL(config.discoveryUrl),
        config.clientId,
        {},
        authentication(config),
        {
          [client.customFetch]: throughOutbound(deps.fetch),
          execute: hardening(config),
          timeout: SIGN_IN_TIMEOUT_MS / 1000,
        },
      );
    } catch (error) {
      if (config.simulator) throw error;
      deps.log.warn(
        { failure: error instanceof Error ? error.name : "unknown" },
        "Intuit's discovery failed; using known addresses",
      );
      if (kept) kept.until = deps.clock.now().getTime() + KEEP_FALLBACK_MS;
      return knownConfiguration(config, deps.fetch);
    }
  }

  return async () => {
    const now = deps.clock.now().getTime();
    if (!kept || now >= kept.until) {
      const entry = { value: discover(), until: now + KEEP_MS };
      kept = entry;
      entry.value.catch(() => {
        if (kept === entry) kept = null;
      });
    }
    return kept.value;
  };
}

const authentication = (config: IntuitConfig) => client.ClientSecretBasic(config.clientSecret);

const hardening = (config: IntuitConfig) =>
  config.simulator
    ? [client.enableNonRepudiationChecks, client.allowInsecureRequests]
    : [client.enableNonRepudiationChecks];

function knownConfiguration(config: IntuitConfig, fetch: OutboundFetch): client.Configuration {
  const sandbox = config.discoveryUrl.includes("sandbox");
  const server: client.ServerMetadata = {
    issuer: "https://oauth.platform.intuit.com/op/v1",
    authorization_endpoint: "https://appcenter.intuit.com/connect/oauth2",
    token_endpoint: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer",
    revocation_endpoint: "https://developer.api.intuit.com/v2/oauth2/tokens/revoke",
    userinfo_endpoint: `https://${sandbox ? "sandbox-" : ""}accounts.platform.intuit.com/v1/openid_connect/userinfo`,
    jwks_uri: "https://oauth.platform.intuit.com/op/v1/jwks",
    id_token_signing_alg_values_supported: ["RS256"],
  };
  const known = new client.Configuration(server, config.clientId, {}, authentication(config));
  known[client.customFetch] = throughOutbound(fetch);
  for (const harden of hardening(config)) harden(known);
  return known;
}

/** Intuit returns the final expiry of a refresh token only when requested by this header. */
const HARD_EXPIRY_HEADER = "x-include-refresh-token-hard-expires-in";

function throughOutbound(fetch: OutboundFetch): client.CustomFetch {
  return (url, { method, body, headers, signal }) =>
    fetch(url, {
      method,
      // openid-client sends forms only; as text they are one small body with a length.
      body: body instanceof URLSearchParams ? body.toString() : null,
      headers: method === "POST" ? { ...headers, [HARD_EXPIRY_HEADER]: "true" } : headers,
      timeoutMs: SIGN_IN_TIMEOUT_MS,
      ...(signal ? { signal } : {}),
    });
}
