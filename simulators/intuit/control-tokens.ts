import { issueCode } from "./authorization-codes.ts";
import { DEMO_CLIENT, findClient, saveClient, type Client } from "./clients.ts";
import { ControlError, type Control } from "./control-call.ts";
import { ACCOUNTING_SCOPE, expireAccessTokens, revokeRealm } from "./grants.ts";
import { changeSettings, readSettings, type Settings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

type Body = Record<string, unknown>;

/** Registers an app: `{client_id, secret, name?, redirect_uris?}`. */
export function controlClients(sim: Simulator, body: Body): unknown {
  const client: Client = {
    clientId: String(body["client_id"]),
    secret: String(body["secret"]),
    name: String(body["name"] ?? body["client_id"]),
    redirectUris: Array.isArray(body["redirect_uris"]) ? body["redirect_uris"].map(String) : null,
  };
  saveClient(sim, client);
  return { client_id: client.clientId };
}

/** An authorization code without a browser: `{sub, realmId?, client_id?, redirect_uri, scope?}`. */
export function controlGrants(sim: Simulator, body: Body): unknown {
  const clientId = String(body["client_id"] ?? DEMO_CLIENT.clientId);
  if (!findClient(sim, clientId)) throw new ControlError(`No client ${clientId}.`);
  const realmId = typeof body["realmId"] === "string" ? body["realmId"] : null;
  const signIn = "openid profile email";
  const scope = String(body["scope"] ?? (realmId === null ? signIn : `${signIn} ${ACCOUNTING_SCOPE}`));
  return {
    code: issueCode(sim, {
      clientId,
      sub: String(body["sub"]),
      realmId,
      scope,
      redirectUri: String(body["redirect_uri"]),
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
