import { redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { authorizeDecision, authorizePage } from "./authorize.ts";
import { findCompany, listCompanies } from "./companies.ts";
import { booksAction } from "./page-actions.ts";
import { booksPage } from "./page-books.ts";
import { page } from "./page-layout.ts";
import { styleSheet } from "../kit/page-style.ts";
import type { Simulator } from "./simulator.ts";
import { grantsOfRealm } from "./grants.ts";
import { fullName, listUsers } from "./users.ts";

/** Pages for users: consent, and the simulated books. */
export function pageEndpoint(sim: Simulator, request: WireRequest): Reply {
  const path = request.url.pathname.replace(/(.)\/$/, "$1");
  switch (`${request.method} ${path}`) {
    case "GET /_assets/simulated.css":
      return styleSheet();
    case "GET /connect/oauth2":
      return authorizePage(sim, request);
    case "POST /connect/oauth2":
      return authorizeDecision(sim, request);
    case "GET /":
      return companiesPage(sim);
    case "GET /qbo":
      return redirect("/");
    default:
      return (
        companyReply(sim, request, path) ?? page({ title: "Not found", content: NOT_FOUND, status: 404 })
      );
  }
}

const NOT_FOUND = html`<main class="card narrow">
  <h1>Page not found</h1>
  <p><a href="/">All companies</a></p>
</main>`;

function companyReply(sim: Simulator, request: WireRequest, path: string): Reply | undefined {
  const company = findCompany(sim, /^\/qbo\/(\d+)/.exec(path)?.[1] ?? "");
  if (!company) return undefined;
  if (request.method === "POST") return booksAction(sim, company, request);
  return path === `/qbo/${company.realmId}` ? booksPage(sim, company, request) : undefined;
}

/** `/`: the simulator's companies, and the users to sign in as. */
export function companiesPage(sim: Simulator): Reply {
  const users = listUsers(sim);
  const content = html`<main>
    <section class="card">
      <h1>Simulated QuickBooks</h1>
      <p class="soft">These companies exist on this machine only. Nothing here reaches the real service.</p>
      ${sim.beside && html`<p><a href="${sim.beside.link.path}">${sim.beside.link.title}</a></p>`}
      <ul class="plain">
        ${listCompanies(sim).map(
          (company) =>
            html`<li class="row">
              <span class="who">
                <a href="/qbo/${company.realmId}"><strong>${company.name}</strong></a>
                <small>${company.country} · ${company.realmId}</small>
              </span>
              <span class="tags">
                <span class="tag">${sim.books.list(company.realmId, "Invoice").length} invoices</span>
                ${grantsOfRealm(sim, company.realmId).length > 0 && html`<span class="tag good">connected</span>`}
              </span>
            </li>`,
        )}
      </ul>
    </section>
    <section class="card" aria-labelledby="people">
      <h2 id="people">People</h2>
      <ul class="plain">
        ${users.map(
          (user) =>
            html`<li class="row">
              <span class="who"><strong>${fullName(user)}</strong><small>${user.email}</small></span>
              ${!user.emailVerified && html`<span class="tag warn">Email not verified</span>`}
            </li>`,
        )}
      </ul>
    </section>
  </main>`;
  return page({ title: "Companies", content });
}
