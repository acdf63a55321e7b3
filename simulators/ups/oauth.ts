import { createHash } from "node:crypto";
import { formFields, json, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { header } from "../kit/journal.ts";
import { findApp, takesRedirect, type App } from "./apps.ts";
import { UpsFault } from "./replies.ts";
import type { Simulator } from "./simulator.ts";
import {
  ACCESS_S,
  issueAccessToken,
  issueRefreshToken,
  redeemCode,
  redeemRefreshToken,
  REFRESH_S,
} from "./tokens.ts";
import { findAccount } from "./users.ts";

/** Parameters of an authorization request that are passed on to the sign-in page. */
export const REQUEST_FIELDS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "code_challenge",
  "type",
] as const;

/** Answers `/security/v1/oauth/…`. @throws UpsFault */
export function oauthEndpoint(sim: Simulator, request: WireRequest): Reply {
  const call = `${request.method} ${request.url.pathname.replace("/security/v1/oauth", "")}`;
  if (call === "GET /authorize") return authorize(sim, request);
  if (call === "GET /validate-client") return validateClient(sim, request);
  if (call === "POST /token") return token(sim, request);
  if (call === "POST /refresh") return refresh(sim, request);
  throw new UpsFault(404, "404", "The requested resource is not available");
}

/** @throws UpsFault for an unknown app, or an address that it has not registered */
export function readAuthorizeRequest(sim: Simulator, fields: URLSearchParams): App {
  const app = findApp(sim, fields.get("client_id") ?? "");
  if (!app) throw new UpsFault(401, "10401", "ClientId is Invalid");
  if (!takesRedirect(app, fields.get("redirect_uri") ?? ""))
    throw new UpsFault(400, "10400", "Invalid Redirect URL");
  if (fields.get("response_type") !== "code") throw new UpsFault(400, "10400", "Invalid response type");
  return app;
}

function authorize(sim: Simulator, { url }: WireRequest): Reply {
  const app = readAuthorizeRequest(sim, url.searchParams);
  const signIn = new URL("/lasso/signin", sim.publicUrl);
  for (const name of REQUEST_FIELDS) {
    const value = url.searchParams.get(name);
    if (value !== null) signIn.searchParams.set(name, value);
  }
  signIn.searchParams.set("type", "ups_com_api");
  const reply = redirect(signIn.href);
  return { ...reply, headers: { ...reply.headers, appname: app.name, displayname: app.name } };
}

/** The older first step: the client builds the address of the sign-in page itself. */
function validateClient(sim: Simulator, { url }: WireRequest): Reply {
  const app = findApp(sim, url.searchParams.get("client_id") ?? "");
  if (!app) throw new UpsFault(401, "10401", "ClientId is Invalid");
  return json(200, {
    result: "success",
    type: "ups_com_api",
    LassoRedirectURL: new URL("/lasso/signin", sim.publicUrl).href,
  });
}

function token(sim: Simulator, request: WireRequest): Reply {
  const form = formFields(request.body);
  const grant = form.get("grant_type");
  if (grant === "client_credentials") {
    const app = readBasic(sim, request);
    const merchant = header(request, "x-merchant-id");
    if (merchant !== null && !findAccount(merchant)) throw new UpsFault(403, "10403", "Blocked Merchant");
    const accessToken = issueAccessToken(sim, { clientId: app.clientId, user: null, merchant });
    return json(200, tokenFields(sim, app.clientId, accessToken));
  }
  if (grant !== "authorization_code") throw new UpsFault(400, "10400", "Invalid grant type");
  const consent = redeemCode(sim, form.get("code") ?? "");
  if (!consent || consent.redirectUri !== form.get("redirect_uri"))
    throw new UpsFault(400, "10400", "Invalid authorization code");
  if (consent.challenge === null) {
    if (readBasic(sim, request).clientId !== consent.clientId)
      throw new UpsFault(400, "10400", "Invalid authorization code");
  } else {
    // With PKCE the client proves itself by its verifier, and sends no secret.
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (request.headers.authorization !== undefined || form.get("client_id") !== consent.clientId)
      throw new UpsFault(400, "10400", "Invalid request");
    if (proof !== consent.challenge) throw new UpsFault(400, "10400", "Invalid code verifier");
  }
  return json(200, pairFields(sim, { clientId: consent.clientId, user: consent.user, count: 0 }));
}

function refresh(sim: Simulator, request: WireRequest): Reply {
  const form = formFields(request.body);
  const app = readBasic(sim, request);
  if (form.get("grant_type") !== "refresh_token") throw new UpsFault(400, "10400", "Invalid grant type");
  const used = redeemRefreshToken(sim, form.get("refresh_token") ?? "");
  if (used?.clientId !== app.clientId) throw new UpsFault(401, "10401", "Refresh Token is Invalid");
  return json(200, pairFields(sim, { ...used, count: used.count + 1 }));
}

/** The app that a Basic header names. @throws UpsFault */
function readBasic(sim: Simulator, { headers }: WireRequest): App {
  const [, packed = ""] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  const [clientId = "", ...rest] = Buffer.from(packed, "base64").toString("utf8").split(":");
  const app = findApp(sim, clientId);
  if (!app) throw new UpsFault(401, "10401", "ClientId is Invalid");
  if (app.secret !== rest.join(":")) throw new UpsFault(401, "250002", "Invalid Authentication Information.");
  return app;
}

/** Every value is a text, numbers too. */
const tokenFields = (sim: Simulator, clientId: string, accessToken: string) => ({
  token_type: "Bearer",
  issued_at: String(sim.clock.now().getTime()),
  client_id: clientId,
  access_token: accessToken,
  scope: "",
  expires_in: String(ACCESS_S),
  status: "approved",
});

const pairFields = (sim: Simulator, pair: { clientId: string; user: string; count: number }) => ({
  ...tokenFields(sim, pair.clientId, issueAccessToken(sim, { ...pair, merchant: null })),
  refresh_token: issueRefreshToken(sim, pair),
  refresh_token_expires_in: String(REFRESH_S),
  refresh_token_issued_at: String(sim.clock.now().getTime()),
  refresh_token_status: "approved",
  refresh_count: String(pair.count),
});
