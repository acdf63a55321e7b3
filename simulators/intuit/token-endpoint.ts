import { formFields, json, type Reply, type WireRequest } from "../kit/http.ts";
import { redeemCode } from "./authorization-codes.ts";
import { authenticateClient, type Client } from "./clients.ts";
import { createGrant, issueAccessToken, type Grant } from "./grants.ts";
import { hardExpiresIn, issueRefreshToken, useRefreshToken } from "./refresh-tokens.ts";
import { readSettings } from "./settings.ts";
import { signToken } from "./signing-key.ts";
import type { Simulator } from "./simulator.ts";

/** POST /oauth2/v1/tokens/bearer: a code or a refresh token for a pair of tokens. */
export function tokenEndpoint(sim: Simulator, request: WireRequest): Reply {
  const form = formFields(request.body);
  const client = authenticateClient(sim, request, form);
  if (!client) return refuse(401, { error: "invalid_client" });
  const exchange = {
    sim,
    client,
    form,
    withHardExpiry: request.headers["x-include-refresh-token-hard-expires-in"] === "true",
  };
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(exchange);
    case "refresh_token":
      return exchangeRefreshToken(exchange);
    case null:
      return refuse(400, { error: "invalid_request" });
    default:
      return refuse(400, { error: "unsupported_grant_type" });
  }
}

type Exchange = { sim: Simulator; client: Client; form: URLSearchParams; withHardExpiry: boolean };

function exchangeCode({ sim, client, form, withHardExpiry }: Exchange): Reply {
  const consent = redeemCode(sim, form.get("code") ?? "");
  if (!consent || consent.clientId !== client.clientId || consent.redirectUri !== form.get("redirect_uri")) {
    return refuse(400, { error: "invalid_grant", error_description: "Invalid authorization code" });
  }
  const { sub, realmId, scope } = consent;
  const grant = createGrant(sim, { clientId: client.clientId, sub, realmId, scope });
  const idToken = scope.split(" ").includes("openid") ? buildIdToken(sim, grant, consent.nonce) : undefined;
  return tokenAnswer(sim, { grant, refreshToken: issueRefreshToken(sim, grant), idToken, withHardExpiry });
}

function exchangeRefreshToken({ sim, client, form, withHardExpiry }: Exchange): Reply {
  const used = useRefreshToken(sim, form.get("refresh_token") ?? "", client.clientId);
  if (!used) {
    return refuse(400, { error_description: "Incorrect or invalid refresh token", error: "invalid_grant" });
  }
  const withIdToken = readSettings(sim).idTokenOnRefresh && used.grant.scope.split(" ").includes("openid");
  return tokenAnswer(sim, {
    ...used,
    idToken: withIdToken ? buildIdToken(sim, used.grant) : undefined,
    withHardExpiry,
  });
}

type TokenAnswer = {
  grant: Grant;
  refreshToken: string;
  idToken: string | undefined;
  withHardExpiry: boolean;
};

function tokenAnswer(sim: Simulator, { grant, refreshToken, idToken, withHardExpiry }: TokenAnswer): Reply {
  const settings = readSettings(sim);
  const body = {
    token_type: "bearer",
    expires_in: settings.accessTtlS,
    access_token: issueAccessToken(sim, grant.id),
    refresh_token: refreshToken,
    x_refresh_token_expires_in: Math.min(settings.rollingTtlS, hardExpiresIn(sim, grant)),
    ...(withHardExpiry && { x_refresh_token_hard_expires_in: hardExpiresIn(sim, grant) }),
    ...(idToken !== undefined && { id_token: idToken }),
  };
  return json(200, body, UNCACHED);
}

const UNCACHED = {
  "content-type": "application/json;charset=UTF-8",
  "cache-control": "no-cache, no-store",
  pragma: "no-cache",
};

function refuse(status: number, body: Record<string, string>): Reply {
  return json(status, body, UNCACHED);
}

/** Claims as Intuit sends them: `aud` is an array, the realm is spelled `realmid`, name and e-mail come from userinfo. */
function buildIdToken(sim: Simulator, grant: Grant, nonce?: string): string {
  const now = Math.floor(sim.clock.now().getTime() / 1000);
  return signToken(sim, {
    sub: grant.sub,
    aud: [grant.clientId],
    ...(grant.realmId !== null && { realmid: grant.realmId }),
    auth_time: Math.floor(grant.createdAt / 1000),
    iss: sim.issuer,
    exp: now + 3600,
    iat: now,
    ...(nonce !== undefined && { nonce }),
  });
}
