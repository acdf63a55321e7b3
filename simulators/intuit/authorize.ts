import { formFields, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { issueCode } from "./authorization-codes.ts";
import { callbackUrl, parseAuthorizeRequest, type AuthorizeRequest } from "./authorize-request.ts";
import { companiesOf } from "./companies.ts";
import { choosePersonPage, consentPage, refusedRequestPage } from "./consent-page.ts";
import { findPerson, listPeople } from "./people.ts";
import type { Simulator } from "./simulator.ts";

/** GET /connect/oauth2: who are you, then (`sim_user` chosen) what do you allow. */
export function authorizePage(sim: Simulator, request: WireRequest): Reply {
  const fields = request.url.searchParams;
  const wish = parseAuthorizeRequest(sim, fields);
  if (!wish) return refusedRequestPage();
  const person = findPerson(sim, fields.get("sim_user") ?? "");
  if (!person) return choosePersonPage({ wish, fields, people: listPeople(sim) });
  return consentPage({ wish, fields, person, companies: companiesOf(sim, person.sub) });
}

/** POST /connect/oauth2: the decision; answers with the redirect to the app. */
export function authorizeDecision(sim: Simulator, request: WireRequest): Reply {
  const fields = formFields(request.body);
  const wish = parseAuthorizeRequest(sim, fields);
  if (!wish) return refusedRequestPage();
  if (fields.get("decision") !== "allow") return redirect(callbackUrl(wish, { error: "access_denied" }));
  const person = findPerson(sim, fields.get("sim_user") ?? "");
  if (!person) return choosePersonPage({ wish, fields, people: listPeople(sim) });
  const companies = companiesOf(sim, person.sub);
  const company = companies.find((candidate) => candidate.realmId === fields.get("sim_realm"));
  if (wish.needsCompany && !company) {
    return consentPage({ wish, fields, person, companies, problem: "Choose a company first." });
  }
  return grantedRedirect(sim, wish, {
    sub: person.sub,
    realmId: wish.needsCompany ? (company?.realmId ?? null) : null,
  });
}

function grantedRedirect(
  sim: Simulator,
  wish: AuthorizeRequest,
  who: { sub: string; realmId: string | null },
): Reply {
  const code = issueCode(sim, {
    clientId: wish.client.clientId,
    scope: wish.scope,
    redirectUri: wish.redirectUri,
    ...who,
    ...(wish.nonce !== null && { nonce: wish.nonce }),
  });
  return redirect(callbackUrl(wish, { code, ...(who.realmId !== null && { realmId: who.realmId }) }));
}
