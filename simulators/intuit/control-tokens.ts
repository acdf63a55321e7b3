import { issueCode } from "./authorization-codes.ts";
import { DEMO_CLIENT, findClient, saveClient, type Client } from "./clients.ts";
import { findCompany } from "./companies.ts";
import { ControlError, type Control } from "./control-call.ts";
import { ACCOUNTING_SCOPE, expireAccessTokens, revokeRealm } from "./grants.ts";
import { findUser } from "./users.ts";
import { changeSettings, readSettings, type Settings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

type Body = Record<string, unknown>;

/**
 * Registers an app: `{client_id, secret, name?, redirect_uris?, launch_url?, connect_url?, disconnect_url?}`; what is
 * left out stays as it was.
 */
export function controlClients(sim: Simulator, body: Body): unknown {
  const clientId = String(body["client_id"]);
  const known = findClient(sim, clientId) ?? { ...DEMO_CLIENT, clientId, name: clientId, secret: "" };
  const named = Object.entries(CLIENT_FIELDS).filter(([, wireName]) => typeof body[wireName] === "string");
  const redirectUris = Array.isArray(body["redirect_uris"])
    ? body["redirect_uris"].map(String)
    : known.redirectUris;
  const changes = Object.fromEntries(named.map(([name, wireName]) => [name, body[wireName]]));
  const client: Client = { ...known, ...changes, redirectUris };
  if (client.secret === "") throw new ControlError("An app needs a secret.");
  saveClient(sim, client);
  return { client_id: client.clientId };
}

const CLIENT_FIELDS = {
  secret: "secret",
  name: "name",
  launchUrl: "launch_url",
  connectUrl: "connect_url",
  disconnectUrl: "disconnect_url",
};

/** An authorization code without a browser: `{sub, realmId?, client_id?, redirect_uri, scope?, nonce?}`. */
export function controlGrants(sim: Simulator, body: Body): unknown {
  const clientId = String(body["client_id"] ?? DEMO_CLIENT.clientId);
  if (!findClient(sim, clientId)) throw new ControlError(`No client ${clientId}.`);
  if (!findUser(sim, String(body["sub"]))) throw new ControlError(`No user ${String(body["sub"])}.`);
  const realmId = typeof body["realmId"] === "string" ? body["realmId"] : null;
  if (realmId !== null && !findCompany(sim, realmId)) throw new ControlError(`No company ${realmId}.`);
  const signIn = "openid profile email";
  const scope = String(body["scope"] ?? (realmId === null ? signIn : `${signIn} ${ACCOUNTING_SCOPE}`));
  return {
    code: issueCode(sim, {
      clientId,
      sub: String(body["sub"]),
      realmId,
      scope,
      redirectUri: String(body["redirect_uri"]),
      ...(typeof body["nonce"] === "string" ? { nonce: body["nonce"] } : {}),
    }),
  };
}

/** Makes the access tokens of a company expire now. */
export function controlExpire(sim: Simulator, body: Body): unknown {
  return { expired: expireAccessTokens(sim, { realmId: String(body["realmId"]) }) };
}

/** Ends all grants for a company, as its Apps page does. */
export function controlRevoke(sim: Simulator, body: Body): unknown {
  return { revoked: revokeRealm(sim, String(body["realmId"])) };
}

/** Reads or changes the switches of `settings.ts`. */
export function controlSettings(sim: Simulator, { request, body }: Control): Settings {
  return request.method === "PATCH" ? changeSettings(sim, body as Partial<Settings>) : readSettings(sim);
}
