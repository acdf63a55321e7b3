import { html, type Html } from "../kit/html.ts";
import type { Reply, WireRequest } from "../kit/http.ts";
import type { Entity } from "./books.ts";
import type { Company } from "./companies.ts";
import { temporaryUrl } from "./downloads.ts";
import { invoiceItem } from "./page-invoice.ts";
import { page } from "./page-layout.ts";
import { shownTime } from "./page-words.ts";
import type { Simulator } from "./simulator.ts";
import { refValue, readList } from "./write-context.ts";
import { listClients, type Client } from "./clients.ts";
import { grantsOfRealm } from "./grants.ts";
import { findUser, fullName } from "./users.ts";

const PAGE_SIZE = 50;

/** `/qbo/:realmId`: invoices, attachments, changes and connected apps of one company. */
export function booksPage(sim: Simulator, company: Company, request: WireRequest): Reply {
  const content = html`<main>
    <p><a href="/">All companies</a></p>
    <div class="row title">
      <span class="who"
        ><h1>${company.name}</h1>
        <small>${company.country} · ${company.realmId}</small></span
      >
      <span class="tag">QuickBooks, simulated</span>
    </div>
    <div class="grid">
      ${invoicesCard(sim, company, request.url.searchParams)}
      <div>${appsCard(sim, company)}${changesCard(sim, company)}${attachmentsCard(sim, company)}</div>
    </div>
  </main>`;
  return page({ title: company.name, content, formTarget: appOrigins(sim) });
}

function invoicesCard(sim: Simulator, company: Company, query: URLSearchParams): Html {
  const wanted = (query.get("find") ?? "").trim().toLowerCase();
  const all = sim.books.list(company.realmId, "Invoice").toReversed();
  const found = wanted === "" ? all : all.filter((invoice) => textOfInvoice(invoice).includes(wanted));
  const at = Math.max(0, Number(query.get("page") ?? 1) - 1) * PAGE_SIZE;
  const shown = found.slice(at, at + PAGE_SIZE);
  return html`<section class="card" aria-labelledby="invoices">
    <div class="row">
      <h2 id="invoices">Invoices</h2>
      <span class="tag">${found.length}</span>
    </div>
    <form method="get" role="search" class="inline">
      <label>Number or customer<input type="text" name="find" value="${query.get("find") ?? ""}" /></label>
      <button type="submit">Find</button>
    </form>
    ${shown.length === 0 && html`<p class="soft">No invoices</p>`}
    <ul class="plain">
      ${shown.map((invoice) => html`<li>${invoiceItem(company.realmId, invoice)}</li>`)}
    </ul>
    ${pager({ at, total: found.length, find: wanted })}
  </section>`;
}

function textOfInvoice(invoice: Entity): string {
  const customer = invoice["CustomerRef"] as { name?: string } | undefined;
  return `${String(invoice["DocNumber"] ?? "")} ${customer?.name ?? ""}`.toLowerCase();
}

function pager({ at, total, find }: { at: number; total: number; find: string }): Html | null {
  if (total <= PAGE_SIZE) return null;
  const link = (number: number, text: string) =>
    html`<a href="?page=${number}&find=${encodeURIComponent(find)}">${text}</a>`;
  const current = at / PAGE_SIZE + 1;
  return html`<nav class="row" aria-label="Pages">
    <span>${current > 1 && link(current - 1, "Newer")}</span>
    <span class="soft">${at + 1} to ${Math.min(at + PAGE_SIZE, total)} of ${total}</span>
    <span>${at + PAGE_SIZE < total && link(current + 1, "Older")}</span>
  </nav>`;
}

function changesCard(sim: Simulator, company: Company): Html {
  const rows = sim.db
    .prepare(
      "SELECT at, kind, label, operation, who FROM change WHERE realm_id = ? ORDER BY seq DESC LIMIT 15",
    )
    .all(company.realmId);
  return html`<section class="card" aria-labelledby="changes">
    <h2 id="changes">What changed</h2>
    <ul class="plain">
      ${rows.map((row) => {
        const at = Number(row["at"]);
        return html`<li>
          ${row["kind"]} <strong>${row["label"]}</strong> ${row["operation"]}<br />
          <small>${row["who"]}, <time datetime="${new Date(at).toISOString()}">${shownTime(at)}</time></small>
        </li>`;
      })}
    </ul>
  </section>`;
}

function attachmentsCard(sim: Simulator, company: Company): Html {
  const files = sim.books.list(company.realmId, "Attachable").toReversed().slice(0, 20);
  return html`<section class="card" aria-labelledby="files">
    <h2 id="files">Attachments</h2>
    ${files.length === 0 && html`<p class="soft">No files</p>`}
    <ul class="plain">
      ${files.map(
        (file) =>
          html`<li>
            <a href="${temporaryUrl(sim, company.realmId, file.Id).slice(sim.publicUrl.length)}"
              >${file["FileName"]}</a
            ><br />
            <small>${file["Size"]} bytes${describeLinks(sim, company, file)}</small>
          </li>`,
      )}
    </ul>
  </section>`;
}

function describeLinks(sim: Simulator, company: Company, file: Entity): string {
  const numbers = readList(file, "AttachableRef").flatMap((link) => {
    const invoice = sim.books.get(company.realmId, "Invoice", refValue(link, "EntityRef") ?? "");
    return invoice ? [`invoice ${String(invoice["DocNumber"] ?? invoice.Id)}`] : [];
  });
  return numbers.length > 0 ? `, ${numbers.join(", ")}` : "";
}

/** Apps area of a company: open, connect or disconnect each registered app. */
export function appsCard(sim: Simulator, company: Company): Html {
  const grants = grantsOfRealm(sim, company.realmId);
  const listSubs = (client: Client) => [
    ...new Set(grants.filter((grant) => grant.clientId === client.clientId).map((grant) => grant.sub)),
  ];
  const shown = listClients(sim).filter(
    (client) => listSubs(client).length > 0 || client.connectUrl !== null,
  );
  return html`<section class="card" aria-labelledby="apps">
    <h2 id="apps">Apps</h2>
    ${grants.length === 0 && html`<p class="soft">No app is connected</p>`}
    ${shown.map((client) => appEntry(sim, company, { client, subs: listSubs(client) }))}
  </section>`;
}

/** Origins to which a disconnect form may redirect. */
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
