import { formFields, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { issueCode } from "./authorization-codes.ts";
import { callbackUrl, parseAuthorizeRequest, type AuthorizeRequest } from "./authorize-request.ts";
import { listUserCompanies } from "./companies.ts";
import { chooseUserPage, consentPage, refusedRequestPage } from "./consent-page.ts";
import { findUser, listUsers } from "./users.ts";
import type { Simulator } from "./simulator.ts";

/**
 * GET /connect/oauth2: asks for the user, then (with `sim_user`) for consent. Like Intuit, it doesn't ask a user to sign in
 * again to connect a company; an empty `sim_user` asks all the same.
 */
export function authorizePage(sim: Simulator, request: WireRequest): Reply {
  const fields = request.url.searchParams;
  const consent = parseAuthorizeRequest(sim, fields);
  if (!consent) return refusedRequestPage();
  const signedIn = consent.needsCompany ? lastUser(request) : null;
  const user = findUser(sim, fields.get("sim_user") ?? signedIn ?? "");
  if (!user) return chooseUserPage({ consent, fields, users: listUsers(sim), known: lastUser(request) });
  return remembering(
    user.sub,
    consentPage({ consent, fields, user, companies: listUserCompanies(sim, user.sub) }),
  );
}

/** POST /connect/oauth2: the decision; redirects to the app. */
export function authorizeDecision(sim: Simulator, request: WireRequest): Reply {
  const fields = formFields(request.body);
  const consent = parseAuthorizeRequest(sim, fields);
  if (!consent) return refusedRequestPage();
  if (fields.get("decision") !== "allow") return redirect(callbackUrl(consent, { error: "access_denied" }));
  const user = findUser(sim, fields.get("sim_user") ?? "");
  if (!user) return chooseUserPage({ consent, fields, users: listUsers(sim), known: lastUser(request) });
  const companies = listUserCompanies(sim, user.sub);
  const company = companies.find((candidate) => candidate.realmId === fields.get("sim_realm"));
  if (consent.needsCompany && !company) {
    return consentPage({ consent, fields, user, companies, problem: "Choose a company first." });
  }
  return grantedRedirect(sim, consent, {
    sub: user.sub,
    realmId: consent.needsCompany ? (company?.realmId ?? null) : null,
  });
}

const LAST_USER = "sim_last_user";

/** Preselects the user who last signed in in this browser, like Intuit's own session. */
function remembering(sub: string, reply: Reply): Reply {
  const cookie = `${LAST_USER}=${encodeURIComponent(sub)}; Path=/connect; HttpOnly; SameSite=Lax`;
  return { ...reply, headers: { ...reply.headers, "set-cookie": cookie } };
}

function lastUser({ headers }: WireRequest): string | null {
  const value = new RegExp(`(?:^|; )${LAST_USER}=([^;]*)`).exec(headers.cookie ?? "")?.[1];
  return value === undefined ? null : decodeURIComponent(value);
}

function grantedRedirect(
  sim: Simulator,
  consent: AuthorizeRequest,
  who: { sub: string; realmId: string | null },
): Reply {
  const code = issueCode(sim, {
    clientId: consent.client.clientId,
    scope: consent.scope,
    redirectUri: consent.redirectUri,
    ...who,
    ...(consent.nonce !== null && { nonce: consent.nonce }),
  });
  return redirect(callbackUrl(consent, { code, ...(who.realmId !== null && { realmId: who.realmId }) }));
}
