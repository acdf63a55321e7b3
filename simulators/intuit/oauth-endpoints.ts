import { formFields, json, type Reply, type WireRequest } from "../kit/http.ts";
import { redeemCode } from "./authorization-codes.ts";
import { authenticateClient, type Client } from "./clients.ts";
import {
  createGrant,
  issueAccessToken,
  type Grant,
  grantOfAnyToken,
  revokeGrant,
  revokeRealm,
  findGrantByToken,
} from "./grants.ts";
import { hardExpiresIn, issueRefreshToken, useRefreshToken } from "./refresh-tokens.ts";
import { readSettings } from "./settings.ts";
import { signToken } from "./signing-key.ts";
import type { Simulator } from "./simulator.ts";
import { findUser, type User } from "./users.ts";

/** POST /oauth2/v1/tokens/bearer: exchanges a code or a refresh token for a pair of tokens. */
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

/**
 * Builds the claims as Intuit sends them: `aud` is an array, the realm is spelled `realmid`, name and e-mail
 * come only from userinfo.
 */
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

/** POST /v2/oauth2/tokens/revoke with either token, as JSON or form: the app loses the company. */
export function revokeEndpoint(sim: Simulator, request: WireRequest): Reply {
  const asJson = (request.headers["content-type"] ?? "").includes("json");
  const form = asJson ? new URLSearchParams() : formFields(request.body);
  const client = authenticateClient(sim, request, form);
  if (!client) return json(401, { error: "invalid_client" });
  const token = asJson ? tokenOfJson(request.body) : form.get("token");
  const grant = token ? grantOfAnyToken(sim, token) : undefined;
  if (!grant || grant.clientId !== client.clientId || grant.revokedAt !== null)
    return json(400, { error: "invalid_request" });
  if (grant.realmId !== null && readSettings(sim).revokeScope === "realm")
    revokeRealm(sim, grant.realmId, client.clientId);
  else revokeGrant(sim, grant.id);
  return { status: 200, headers: {}, body: "" };
}

function tokenOfJson(body: Buffer): string | null {
  try {
    const parsed = JSON.parse(body.toString("utf8")) as { token?: unknown };
    return typeof parsed.token === "string" ? parsed.token : null;
  } catch {
    return null;
  }
}

/** GET /v1/openid_connect/userinfo: camelCase fields, only those the scopes allow. */
export function userinfoEndpoint(sim: Simulator, request: WireRequest): Reply {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const grant = bearer === undefined ? undefined : findGrantByToken(sim, bearer);
  const user = grant && findUser(sim, grant.sub);
  const scopes = grant?.scope.split(" ") ?? [];
  if (!user || !scopes.includes("openid")) {
    return json(
      401,
      { error: "invalid_token" },
      { "www-authenticate": 'Bearer realm="Intuit", error="invalid_token"' },
    );
  }
  return json(200, Object.assign({ sub: user.sub }, ...scopes.map((scope) => FIELDS[scope]?.(user) ?? {})));
}

const FIELDS: Record<string, (user: User) => object> = {
  profile: ({ givenName, familyName }) => ({ givenName, familyName }),
  email: ({ email, emailVerified }) => ({ email, emailVerified }),
  phone: ({ phoneNumber }) => (phoneNumber === undefined ? {} : { phoneNumber, phoneNumberVerified: false }),
  address: ({ address }) => (address ? { address } : {}),
};
