import { formFields, json, type Reply, type WireRequest } from "../kit/http.ts";
import { authenticateClient } from "./clients.ts";
import { grantOfAnyToken, revokeGrant, revokeRealm } from "./grants.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

/** POST /v2/oauth2/tokens/revoke, JSON or form body with either token: the app loses the company. */
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
