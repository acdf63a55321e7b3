import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { REQUEST_FIELDS, type AuthorizeRequest } from "./authorize-request.ts";
import type { Company } from "./companies.ts";
import { page } from "./page-layout.ts";
import { fullName, type User } from "./users.ts";

type Shown = { consent: AuthorizeRequest; fields: URLSearchParams };

type Choosing = {
  users: User[];
  /** The browser's last user; preselected. */
  known: string | null;
};

/** First step: choose the user. */
export function chooseUserPage({ consent, fields, users, known }: Shown & Choosing): Reply {
  const content = html`<main class="card narrow">
    <h1>Sign in</h1>
    <p class="lead">Choose who you are, to continue to <strong>${consent.client.name}</strong>.</p>
    <form method="get" action="/connect/oauth2">
      ${hiddenFields(fields)}
      ${choiceGroup(
        "People",
        "sim_user",
        users.map((user) => userChoice(user, known)),
      )}
      <div class="buttons"><button type="submit" class="primary">Continue</button></div>
    </form>
    ${refuseForm(fields)}
  </main>`;
  return page({ title: "Sign in", content, formTarget: new URL(consent.redirectUri).origin });
}

type Consent = Shown & { user: User; companies: Company[]; problem?: string };

/** Second step: choose a company (if requested), then allow or refuse. */
export function consentPage({ consent, fields, user, companies, problem }: Consent): Reply {
  const stuck = consent.needsCompany && companies.length === 0;
  const content = html`<main class="card narrow">
    <h1>${consent.needsCompany ? "Connect a company" : "Share your profile"}</h1>
    <p class="user">
      ${shownUser(user)}
      <a href="${`/connect/oauth2?${requestQuery(fields)}&sim_user=`}">Not you?</a>
    </p>
    <p class="lead"><strong>${consent.client.name}</strong> would like to:</p>
    <ul class="ticks">
      ${scopeTexts(consent).map((text) => html`<li>${text}</li>`)}
    </ul>
    ${problem && html`<p class="alert" role="alert">${problem}</p>`}
    <form method="post" action="/connect/oauth2">
      ${hiddenFields(fields)}<input type="hidden" name="sim_user" value="${user.sub}" />
      ${consent.needsCompany && (stuck ? noCompany(user) : choiceGroup("Company", "sim_realm", companies.map(companyChoice)))}
      <div class="buttons">
        ${!stuck && html`<button type="submit" name="decision" value="allow" class="primary">Allow</button>`}
        <button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
      </div>
    </form>
  </main>`;
  return page({ title: "Connect", content, formTarget: new URL(consent.redirectUri).origin });
}

/** The only page for invalid requests: like Intuit's, it does not explain the fault. */
export function refusedRequestPage(): Reply {
  const content = html`<main class="card narrow">
    <h1>Sorry, that didn't work</h1>
    <p>
      The app that sent you here asked for something it isn't allowed to have. Please contact its developers.
    </p>
  </main>`;
  return page({ title: "Sorry", content, status: 400 });
}

type Choice = { value: string; shown: Html; isSuggested?: boolean };

const userChoice = (user: User, known: string | null): Choice => ({
  value: user.sub,
  isSuggested: user.sub === known,
  shown: html`${shownUser(user)}
  ${!user.emailVerified && html`<span class="tag warn">Email not verified</span>`}`,
});

const shownUser = (user: User): Html =>
  html`<span class="avatar" aria-hidden="true">${user.givenName[0]}${user.familyName[0]}</span>
    <span class="who"><strong>${fullName(user)}</strong><small>${user.email}</small></span>`;

const companyChoice = ({ realmId, name, country }: Company): Choice => ({
  value: realmId,
  shown: html`<span class="who"><strong>${name}</strong><small>${country} · ${realmId}</small></span>`,
});

/** Renders a choice group: the suggested choice is preselected, else the first. */
function choiceGroup(legend: string, name: string, choices: Choice[]): Html {
  const at = Math.max(
    0,
    choices.findIndex(({ isSuggested }) => isSuggested),
  );
  return html`<fieldset>
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, shown }, index) =>
        html`<label class="choice">
          <input type="radio" name="${name}" value="${value}" required ${index === at && html`checked`} />
          ${shown}
        </label>`,
    )}
  </fieldset>`;
}

function noCompany(user: User): Html {
  return html`<p class="alert" role="alert">
    ${fullName(user)} isn't an admin of any company here, so there's nothing to connect.
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
  email: "see your email address",
  phone: "see your phone number",
  address: "see your address",
  "com.intuit.quickbooks.accounting": "read and change the books of one company",
  "com.intuit.quickbooks.payment": "take payments for one company",
};

function scopeTexts(consent: AuthorizeRequest): string[] {
  return consent.scope.split(" ").map((scope) => SCOPE_TEXTS[scope] ?? scope);
}
