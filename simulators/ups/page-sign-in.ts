import { formFields, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { transaction } from "../kit/sqlite.ts";
import type { App } from "./apps.ts";
import { readAuthorizeRequest, REQUEST_FIELDS } from "./oauth.ts";
import { page } from "./page-layout.ts";
import { UpsFault } from "./replies.ts";
import type { Simulator } from "./simulator.ts";
import { issueCode } from "./tokens.ts";
import { findUser, USERS, type User } from "./users.ts";

/** `/lasso/signin`: the sign-in page that `/authorize` leads to, and its form. */
export function signIn(sim: Simulator, { method, url, body }: WireRequest): Reply {
  const fields = method === "POST" ? formFields(body) : url.searchParams;
  try {
    return transaction(sim.db, () => {
      const app = readAuthorizeRequest(sim, fields);
      return method === "POST" ? decide(sim, app, fields) : signInPage(app, fields);
    });
  } catch (error) {
    if (!(error instanceof UpsFault)) throw error;
    return page({
      title: "Sorry",
      status: error.status,
      content: html`<main class="narrow">
        <h1>Sorry, something went wrong</h1>
        <p class="alert" role="alert">${error.message}</p>
      </main>`,
    });
  }
}

function signInPage(app: App, fields: URLSearchParams): Reply {
  const content = html`<main class="narrow">
    <h1>Sign in</h1>
    <p class="lead"><strong>${app.name}</strong> would like to use your UPS account.</p>
    <form method="post" action="/lasso/signin">
      ${REQUEST_FIELDS.filter((name) => fields.has(name)).map(
        (name) => html`<input type="hidden" name="${name}" value="${fields.get(name)}" />`,
      )}
      <fieldset>
        <legend>UPS ID</legend>
        ${USERS.map(
          (user, index) =>
            html`<label class="choice">
              <input
                type="radio"
                name="sim_user"
                value="${user.id}"
                required
                ${index === 0 && html`checked`}
              />
              ${shownUser(user)}
            </label>`,
        )}
      </fieldset>
      <div class="buttons">
        <button type="submit" name="decision" value="allow" class="primary">Allow</button>
        <button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
      </div>
    </form>
  </main>`;
  const formTarget = new URL(fields.get("redirect_uri") ?? "").origin;
  return page({ title: "Sign in", content, formTarget });
}

const shownUser = ({ name, accounts }: User): Html =>
  html`<span class="who"
    ><strong>${name}</strong
    ><small>${accounts.length === 0 ? "No shipper account" : `Account ${accounts.join(", ")}`}</small></span
  >`;

function decide(sim: Simulator, app: App, fields: URLSearchParams): Reply {
  const redirectUri = fields.get("redirect_uri") ?? "";
  const back = new URL(redirectUri);
  const user = findUser(fields.get("sim_user") ?? "");
  if (fields.get("decision") === "allow" && user) {
    const challenge = fields.get("code_challenge");
    back.searchParams.set(
      "code",
      issueCode(sim, { clientId: app.clientId, user: user.id, redirectUri, challenge }),
    );
    back.searchParams.set("scope", fields.get("scope") ?? "");
  } else {
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "The user refused the request.");
  }
  const state = fields.get("state");
  if (state !== null) back.searchParams.set("state", state);
  return redirect(back.href, 303);
}
