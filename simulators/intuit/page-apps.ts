import { html, type Html } from "../kit/html.ts";
import { listClients, type Client } from "./clients.ts";
import type { Company } from "./companies.ts";
import { grantsOfRealm } from "./grants.ts";
import { findUser, fullName } from "./users.ts";
import type { Simulator } from "./simulator.ts";

/** The Apps area of a company: open, connect or disconnect each registered app. */
export function appsCard(sim: Simulator, company: Company): Html {
  const grants = grantsOfRealm(sim, company.realmId);
  const listSubs = (client: Client) => [
    ...new Set(grants.filter((grant) => grant.clientId === client.clientId).map((grant) => grant.sub)),
  ];
  const shown = listClients(sim).filter((client) => listSubs(client).length > 0 || client.connectUrl !== null);
  return html`<section class="card" aria-labelledby="apps">
    <h2 id="apps">Apps</h2>
    ${grants.length === 0 && html`<p class="soft">No app is connected</p>`}
    ${shown.map((client) => appEntry(sim, company, { client, subs: listSubs(client) }))}
  </section>`;
}

/** Origins a disconnect form may be sent on to. */
export function appOrigins(sim: Simulator): string {
  const urls = listClients(sim).flatMap(({ disconnectUrl }) => disconnectUrl ?? []);
  return [...new Set(urls.map((url) => new URL(url).origin))].join(" ");
}

function appEntry(
  sim: Simulator,
  company: Company,
  { client, subs }: { client: Client; subs: string[] },
): Html {
  if (subs.length === 0) {
    return html`<p><strong>${client.name}</strong></p>
      <p><a href="${client.connectUrl}">Get app now</a></p>`;
  }
  return html`<p>
      <strong>${client.name}</strong><br /><small
        >Connected by ${subs.map((sub) => userName(sim, sub)).join(", ")}</small
      >
    </p>
    ${client.launchUrl !== null && html`<p><a href="${client.launchUrl}">Open ${client.name}</a></p>`}
    <form method="post" action="/qbo/${company.realmId}/disconnect">
      <button type="submit" name="client_id" value="${client.clientId}">Disconnect ${client.name}</button>
    </form>`;
}

function userName(sim: Simulator, sub: string): string {
  const user = findUser(sim, sub);
  return user ? fullName(user) : sub;
}
