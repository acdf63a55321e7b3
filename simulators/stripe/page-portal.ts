import type Stripe from "stripe";
import { formFields, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { StripeFault } from "./api-error.ts";
import { updateCustomer } from "./customers.ts";
import { day, dollars, page } from "./page-layout.ts";
import { attach, attachMethod, listCards, createMethod, findChargeMethod } from "./payment-methods.ts";
import { payInvoice } from "./invoices.ts";
import { all, find, toId } from "./store.ts";
import { updateSubscription } from "./subscriptions.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

/** Lifetime of a portal session's address. */
const SESSION_SECONDS = 3600;

/** Billing portal: a customer's subscriptions, card and payments. */
export function portalPage(sim: Simulator, request: WireRequest): Reply | undefined {
  const [, , , id = ""] = request.url.pathname.split("/");
  const session = find(sim, "billing_portal.session", id);
  const address = `${sim.publicUrl}${request.url.pathname}`;
  if (!session || session.url !== address || session.created + SESSION_SECONDS < machineNow(sim))
    return undefined;
  if (request.method !== "POST") return show(sim, session, null);
  try {
    act(sim, session.customer, formFields(request.body));
    return redirect(request.url.pathname, 303);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return show(sim, session, error.message);
  }
}

function act(sim: Simulator, customer: string, fields: URLSearchParams): void {
  const subscription = find(sim, "subscription", fields.get("subscription") ?? "");
  const isTheirs = subscription !== undefined && toId(subscription.customer) === customer;
  if (fields.get("act") === "cancel" && isTheirs)
    updateSubscription(sim, subscription.id, { cancel_at_period_end: "true" });
  if (fields.get("act") === "renew" && isTheirs)
    updateSubscription(sim, subscription.id, { cancel_at_period_end: "false" });
  if (fields.get("act") === "card") changeCard(sim, customer, fields);
}

/** Uses the new card for all future payments of this customer, and charges open ones at once. */
function changeCard(sim: Simulator, customer: string, fields: URLSearchParams): void {
  const [month = "", year = ""] = (fields.get("expiry") ?? "").split("/").map((part) => part.trim());
  const method = createMethod(sim, {
    type: "card",
    card: {
      number: fields.get("number") ?? "",
      exp_month: month,
      exp_year: year,
      cvc: fields.get("cvc") ?? "",
    },
  });
  attachMethod(sim, method.id, { customer });
  attach(sim, method.id, customer);
  updateCustomer(sim, customer, { invoice_settings: { default_payment_method: method.id } });
  for (const subscription of listLive(sim, customer))
    updateSubscription(sim, subscription.id, { default_payment_method: method.id });
  for (const invoice of all(sim, "invoice", customer))
    if (invoice.status === "open") payInvoice(sim, invoice.id, {});
}

const listLive = (sim: Simulator, customer: string): Stripe.Subscription[] =>
  all(sim, "subscription", customer).filter(
    ({ status }) => !["canceled", "incomplete", "incomplete_expired"].includes(status),
  );

function show(sim: Simulator, session: Stripe.BillingPortal.Session, fault: string | null): Reply {
  const { customer } = session;
  const invoices = all(sim, "invoice", customer).filter(
    ({ status }) => status !== "draft" && status !== "void",
  );
  const subscriptions = listLive(sim, customer);
  return page({
    title: "Billing",
    status: fault ? 402 : 200,
    content: html`<main>
      ${session.return_url ? html`<p><a href="${session.return_url}">Return to the product</a></p>` : ""}
      <h1>Billing of ${find(sim, "customer", customer)?.name ?? customer}</h1>
      ${fault ? html`<p class="fault" role="alert">${fault}</p>` : ""}
      <h2>Current subscriptions</h2>
      ${subscriptions.length === 0 ? html`<p class="quiet">There is none.</p>` : ""}
      <ul class="rows">
        ${subscriptions.map((each) => subscriptionRow(sim, each))}
      </ul>
      <h2>Payment method</h2>
      ${cardPart(sim, customer, subscriptions[0])}
      <h2>Invoice history</h2>
      ${invoices.length === 0 ? html`<p class="quiet">There is none yet.</p>` : ""}
      <ul class="rows invoices">
        ${invoices.map(
          (invoice) =>
            html`<li>
              <span>${day(invoice.created)}</span>
              <a href="${invoice.hosted_invoice_url}">${invoice.number}</a>
              ${chip(invoice.status ?? "open")}
              <b class="amount">${dollars(invoice.total)}</b>
            </li>`,
        )}
      </ul>
    </main>`,
  });
}

const TONES: Readonly<Record<string, string>> = {
  active: "good",
  trialing: "good",
  paid: "good",
  past_due: "bad",
  unpaid: "bad",
  open: "bad",
};

function chip(status: string): Html {
  const word = status.replaceAll("_", " ");
  return html`<span class="chip ${TONES[status] ?? ""}"
    >${word.charAt(0).toUpperCase()}${word.slice(1)}</span
  >`;
}

function subscriptionRow(sim: Simulator, each: Stripe.Subscription): Html {
  const { name, rate } = soldIn(sim, each);
  const ends = each.cancel_at !== null;
  return html`<li>
    <span
      ><b>${name}</b> ${chip(each.status)}<br /><small
        >${each.description ? `${each.description}. ` : ""}${whatNext(each)}</small
      ></span
    >
    <b class="amount">${rate}</b>
    <form method="post">
      <input type="hidden" name="subscription" value="${each.id}" />
      <button name="act" value="${ends ? "renew" : "cancel"}">
        ${ends ? "Renew subscription" : "Cancel subscription"}
      </button>
    </form>
  </li>`;
}

function whatNext({ status, cancel_at: cancelAt, current_period_end: end }: Stripe.Subscription): string {
  if (cancelAt !== null) return `Ends on ${day(cancelAt)}; nothing is charged until then.`;
  if (status === "past_due" || status === "unpaid")
    return "The last payment failed. A new card pays it at once.";
  if (status === "trialing") return `The trial ends on ${day(end)}.`;
  return `Renews on ${day(end)}. Canceled, it stays until then.`;
}

function soldIn(sim: Simulator, { id, items }: Stripe.Subscription): { name: string; rate: string } {
  const price = items.data[0]?.price;
  if (!price) return { name: id, rate: "" };
  const name = find(sim, "product", toId(price.product))?.name ?? id;
  return { name, rate: `${dollars(price.unit_amount ?? 0)} / ${price.recurring?.interval ?? "once"}` };
}

const BRANDS: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard" };

function cardPart(sim: Simulator, customer: string, subscription: Stripe.Subscription | undefined): Html {
  const card = (subscription && findChargeMethod(sim, subscription)) ?? listCards(sim, customer)[0];
  return html`<p>
      ${card?.card ? `${BRANDS[card.card.brand] ?? card.card.brand} ending in ${card.card.last4}, expires ${card.card.exp_month}/${card.card.exp_year}` : "There is none."}
    </p>
    <details>
      <summary>Change the card</summary>
      <form method="post" class="card">
        <label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" /></label>
        <label>Expiration date <input name="expiry" placeholder="MM / YY" autocomplete="cc-exp" /></label>
        <label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" /></label>
        <button class="main" name="act" value="card">Use this card</button>
      </form>
    </details>`;
}
