import { formFields, isForeignForm, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { transaction } from "../kit/sqlite.ts";
import { ApiFault } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { findClient } from "./clients.ts";
import type { Company } from "./companies.ts";
import { revokeRealm } from "./grants.ts";
import { payInvoice } from "./invoice-payment.ts";
import { updateInvoice } from "./invoice-write.ts";
import { page } from "./page-layout.ts";
import type { Simulator } from "./simulator.ts";
import type { WriteContext } from "./write-context.ts";

/** User actions in the simulated books: receive a payment, change a memo, disconnect an app. */
export function booksAction(sim: Simulator, company: Company, request: WireRequest): Reply | undefined {
  if (isForeignForm(request)) return refused("This form came from another site.");
  const [, , , noun, id = "", action = ""] = request.url.pathname.split("/");
  const form = formFields(request.body);
  if (noun === "disconnect") return disconnect(sim, company, form.get("client_id") ?? "");
  const invoice = noun === "invoices" ? sim.books.get(company.realmId, "Invoice", id) : undefined;
  const act = INVOICE_ACTIONS[action];
  if (!invoice || !act) return undefined;
  const ctx: WriteContext = { sim, company, who: "You, in QuickBooks" };
  try {
    transaction(sim.db, () => act(ctx, invoice, form));
    return redirect(`/qbo/${company.realmId}#invoice-${id}`, 303);
  } catch (error) {
    sim.books.forget();
    if (error instanceof ApiFault) return refused(error.message);
    throw error;
  }
}

/** Ends an app's grants, then redirects to the app's own page for that, with `realmId`. */
function disconnect(sim: Simulator, company: Company, clientId: string): Reply {
  revokeRealm(sim, company.realmId, clientId);
  const landing = findClient(sim, clientId)?.disconnectUrl;
  if (!landing) return redirect(`/qbo/${company.realmId}`, 303);
  const url = new URL(landing);
  url.searchParams.set("realmId", company.realmId);
  return redirect(url.href, 303);
}

const INVOICE_ACTIONS: Record<string, (ctx: WriteContext, invoice: Entity, form: URLSearchParams) => Entity> =
  {
    pay: (ctx, invoice) => payInvoice(ctx, { invoice }),
    memo: (ctx, { Id, SyncToken }, form) => {
      const change = { Id, SyncToken, sparse: true, PrivateNote: form.get("memo") ?? "" };
      return updateInvoice(ctx, change, { allowDuplicateDocNumber: true });
    },
  };

function refused(text: string): Reply {
  const content = html`<main class="card narrow">
    <h1>That wasn't possible</h1>
    <p>${text}</p>
    <p><a href="/">All companies</a></p>
  </main>`;
  return page({ title: "Not possible", content, status: 400 });
}
