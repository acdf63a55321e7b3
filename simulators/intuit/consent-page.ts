import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { REQUEST_FIELDS, type AuthorizeRequest } from "./authorize-request.ts";
import type { Company } from "./companies.ts";
import { page } from "./page-layout.ts";
import { fullName, type Person } from "./people.ts";

type Shown = { wish: AuthorizeRequest; fields: URLSearchParams };

/** First step: choose who you are. */
export function choosePersonPage({ wish, fields, people }: Shown & { people: Person[] }): Reply {
  const content = html`<main class="card narrow">
    <h1>Sign in</h1>
    <p class="lead">Choose who you are, to continue to <strong>${wish.client.name}</strong>.</p>
    <form method="get" action="/connect/oauth2">
      ${hiddenFields(fields)}
      <fieldset>
        <legend>People</legend>
        ${people.map(
          (person, i) =>
            html`<label class="choice">
              <input
                type="radio"
                name="sim_user"
                value="${person.sub}"
                required
                ${i === 0 && html`checked`}
              />
              <span class="avatar" aria-hidden="true">${person.givenName[0]}${person.familyName[0]}</span>
              <span class="who"><strong>${fullName(person)}</strong><small>${person.email}</small></span>
              ${!person.emailVerified && html`<span class="tag warn">e-mail not verified</span>`}
            </label>`,
        )}
      </fieldset>
      <div class="buttons"><button type="submit" class="primary">Continue</button></div>
    </form>
    ${refuseForm(fields)}
  </main>`;
  return page({ title: "Sign in", content, formTarget: new URL(wish.redirectUri).origin });
}

type Consent = Shown & { person: Person; companies: Company[]; problem?: string };

/** Second step: choose a company (when one is asked for), then allow or refuse. */
export function consentPage({ wish, fields, person, companies, problem }: Consent): Reply {
  const stuck = wish.needsCompany && companies.length === 0;
  const content = html`<main class="card narrow">
    <h1>${wish.needsCompany ? "Connect a company" : "Share your profile"}</h1>
    <p class="person">
      <span class="avatar" aria-hidden="true">${person.givenName[0]}${person.familyName[0]}</span>
      <span class="who"><strong>${fullName(person)}</strong><small>${person.email}</small></span>
      <a href="${`/connect/oauth2?${requestQuery(fields)}`}">Not you?</a>
    </p>
    <p class="lead"><strong>${wish.client.name}</strong> would like to:</p>
    <ul class="ticks">
      ${scopeTexts(wish).map((text) => html`<li>${text}</li>`)}
    </ul>
    ${problem && html`<p class="alert" role="alert">${problem}</p>`}
    <form method="post" action="/connect/oauth2">
      ${hiddenFields(fields)}<input type="hidden" name="sim_user" value="${person.sub}" />
      ${wish.needsCompany && (stuck ? noCompany(person) : companyChoice(companies))}
      <div class="buttons">
        ${!stuck && html`<button type="submit" name="decision" value="allow" class="primary">Allow</button>`}
        <button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
      </div>
    </form>
  </main>`;
  return page({ title: "Connect", content, formTarget: new URL(wish.redirectUri).origin });
}

/** The one page for every broken request: like Intuit's, it does not say what is wrong. */
export function refusedRequestPage(): Reply {
  const content = html`<main class="card narrow">
    <h1>Sorry, that did not work</h1>
    <p>The app that sent you here asked for something it may not have. Please contact its makers.</p>
  </main>`;
  return page({ title: "Sorry", content, status: 400 });
}

function companyChoice(companies: Company[]): Html {
  return html`<fieldset>
    <legend>Company</legend>
    ${companies.map(
      (company, i) =>
        html`<label class="choice">
          <input
            type="radio"
            name="sim_realm"
            value="${company.realmId}"
            required
            ${i === 0 && html`checked`}
          />
          <span class="who"
            ><strong>${company.name}</strong><small>${company.country} · ${company.realmId}</small></span
          >
        </label>`,
    )}
  </fieldset>`;
}

function noCompany(person: Person): Html {
  return html`<p class="alert" role="alert">
    ${fullName(person)} is not an admin of any company here, so there is nothing to connect.
  </p>`;
}

function refuseForm(fields: URLSearchParams): Html {
  return html`<form method="post" action="/connect/oauth2" class="aside">
    ${hiddenFields(fields)}<button type="submit" name="decision" value="refuse" class="quiet">Refuse</button>
  </form>`;
}

function hiddenFields(fields: URLSearchParams): Html {
  return html`${REQUEST_FIELDS.filter((name) => fields.has(name)).map(
    (name) => html`<input type="hidden" name="${name}" value="${fields.get(name)}" />`,
  )}`;
}

function requestQuery(fields: URLSearchParams): string {
  return new URLSearchParams(
    REQUEST_FIELDS.flatMap((name) => (fields.has(name) ? [[name, fields.get(name) ?? ""]] : [])),
  ).toString();
}

const SCOPE_TEXTS: Record<string, string> = {
  openid: "know who you are",
  profile: "see your name",
  email: "see your e-mail address",
  phone: "see your phone number",
  address: "see your address",
  "com.intuit.quickbooks.accounting": "read and change the books of one company",
  "com.intuit.quickbooks.payment": "take payments for one company",
};

function scopeTexts(wish: AuthorizeRequest): string[] {
  return wish.scope.split(" ").map((scope) => SCOPE_TEXTS[scope] ?? scope);
}
