import { findClient, mayRedirectTo, type Client } from "./clients.ts";
import { ACCOUNTING_SCOPE } from "./grants.ts";
import type { Simulator } from "./simulator.ts";

/** A valid request of an app for a user's consent. */
export type AuthorizeRequest = {
  client: Client;
  redirectUri: string;
  scope: string;
  state: string | null;
  nonce: string | null;
  /** Whether a company must be chosen. */
  needsCompany: boolean;
};

/** Names of the request's fields, which are passed on between the pages. */
export const REQUEST_FIELDS = [
  "client_id",
  "response_type",
  "scope",
  "redirect_uri",
  "state",
  "nonce",
  "claims",
] as const;

/** Parses an authorize request. @returns undefined for anything Intuit answers with its error page */
export function parseAuthorizeRequest(sim: Simulator, fields: URLSearchParams): AuthorizeRequest | undefined {
  const client = findClient(sim, fields.get("client_id") ?? "");
  const redirectUri = fields.get("redirect_uri") ?? "";
  const scope = (fields.get("scope") ?? "").trim();
  if (!client || !mayRedirectTo(client, redirectUri)) return undefined;
  if (scope === "" || fields.get("response_type") !== "code") return undefined;
  const scopes = scope.split(/\s+/);
  return {
    client,
    redirectUri,
    scope: scopes.join(" "),
    state: fields.get("state"),
    nonce: fields.get("nonce"),
    needsCompany: scopes.includes(ACCOUNTING_SCOPE) || scopes.includes("com.intuit.quickbooks.payment"),
  };
}

/** Redirect address for the browser, with the outcome in its query. */
export function callbackUrl(request: AuthorizeRequest, outcome: Record<string, string>): string {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  if (request.state !== null) url.searchParams.set("state", request.state);
  return url.href;
}
