import { unique } from "./wire.ts";
import type { UpsApi, UpsTarget } from "./wire-ups.ts";

/** Lets the user sign in at UPS, and stores the tokens. */
export async function signInAtUps(
  api: UpsApi,
  { baseUrl, clientId, redirectUri }: UpsTarget,
  visit: (address: string) => Promise<URL>,
): Promise<void> {
  const state = unique();
  const address = new URL("/security/v1/oauth/authorize", baseUrl);
  address.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "read",
    state,
  }).toString();
  const { searchParams } = await visit(address.href);
  if (searchParams.get("state") !== state || !searchParams.has("code"))
    throw new Error("UPS was not allowed, or the answer belongs to another sign-in.");
  const { status, json } = await api.ask("/token", {
    grant_type: "authorization_code",
    code: searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
  });
  if (status !== 200) throw new Error(`UPS did not exchange the code: it answered ${status}.`);
  api.tokens.access = String(json["access_token"]);
  api.tokens.refresh = String(json["refresh_token"]);
}
