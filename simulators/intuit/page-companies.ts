import { html } from "../kit/html.ts";
import type { Reply } from "../kit/http.ts";
import { listCompanies } from "./companies.ts";
import { grantsOfRealm } from "./grants.ts";
import { page } from "./page-layout.ts";
import { fullName, listUsers } from "./users.ts";
import type { Simulator } from "./simulator.ts";

/** `/`: the companies of the simulator, and the users to sign in as. */
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
