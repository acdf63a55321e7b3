import type Stripe from "stripe";
import { StripeFault } from "./api-error.ts";
import { flag, group, required, text, type Form } from "./form.ts";
import { draftItems, draftPeriod } from "./invoices.ts";
import { nextPeriod } from "./lifecycle.ts";
import { listPage } from "./lists.ts";
import { all, toId, need } from "./store.ts";
import { changedItems } from "./subscriptions.ts";
import type { Simulator } from "./simulator.ts";

export const UPCOMING_FIELDS = [
  "customer",
  "subscription",
  "subscription_cancel_at_period_end",
  "subscription_items",
  "subscription_proration_behavior",
] as const;

/** Parameters of the newer call, which groups the subscription's changes. */
export const PREVIEW_FIELDS = ["customer", "subscription", "subscription_details"] as const;

/**
 * Previews the next invoice of a customer or a subscription. Nothing is stored, so it has no id.
 * @throws StripeFault 404 if there will be none
 */
export function upcomingInvoice(sim: Simulator, form: Form): object {
  const { id: _id, ...invoice } = preview(sim, {
    asked: form,
    change: {
      items: form["subscription_items"] ?? {},
      proration_behavior: form["subscription_proration_behavior"] ?? "",
      cancel_at_period_end: form["subscription_cancel_at_period_end"] ?? "",
    },
  });
  return invoice;
}

export function listUpcomingLines(sim: Simulator, form: Form): object {
  const { lines } = upcomingInvoice(sim, form) as Stripe.Invoice;
  return listPage(lines.data, form, "/v1/invoices/upcoming/lines");
}

export function previewInvoice(sim: Simulator, form: Form): object {
  const invoice = preview(sim, { asked: form, change: group(form, "subscription_details") });
  return { ...invoice, id: `upcoming_${invoice.id}` };
}

type PreviewRequest = { asked: Form; change: Form };

/** Creates the invoice completely, then rolls everything back. */
function preview(sim: Simulator, { asked, change }: PreviewRequest): Stripe.Invoice {
  const named = text(asked, "subscription");
  const subscription = named ? need(sim, "subscription", { id: named, param: "subscription" }) : null;
  const customer = subscription ? toId(subscription.customer) : required(asked, "customer");
  need(sim, "customer", { id: customer, param: "customer" });
  sim.db.exec("SAVEPOINT preview");
  try {
    const invoice = makeNext(sim, {
      subscription: subscription ?? findNextRenewal(sim, customer),
      customer,
      change,
    });
    if (invoice.lines.data.length > 0) return invoice;
  } finally {
    sim.db.exec("ROLLBACK TO preview; RELEASE preview");
  }
  throw new StripeFault({
    status: 404,
    type: "invalid_request_error",
    code: "invoice_upcoming_none",
    message: `No upcoming invoices for customer: ${customer}`,
  });
}

type Next = { subscription: Stripe.Subscription | null; customer: string; change: Form };

function makeNext(sim: Simulator, { subscription, customer, change }: Next): Stripe.Invoice {
  if (!subscription || !renews(subscription, flag(change, "cancel_at_period_end")))
    return draftItems(sim, customer);
  const changed = { ...subscription, ...changedItems(sim, subscription, change) };
  const { current_period_end: due } = subscription;
  const next = { ...changed, ...nextPeriod(changed) };
  const invoice = draftPeriod(sim, next, { reason: "upcoming", isFree: false });
  return { ...invoice, created: due, next_payment_attempt: due };
}

/** Whether it renews: a scheduled end at or before the end of the period leaves nothing to renew. */
function renews(subscription: Stripe.Subscription, endsWithPeriod: boolean | undefined): boolean {
  const { status, cancel_at: cancelAt, current_period_end: end } = subscription;
  if (!["active", "trialing", "past_due", "unpaid"].includes(status)) return false;
  return endsWithPeriod === undefined ? cancelAt === null || cancelAt > end : !endsWithPeriod;
}

/** Finds the customer's subscription that renews first. */
function findNextRenewal(sim: Simulator, customer: string): Stripe.Subscription | null {
  const live = all(sim, "subscription", customer).filter((each) => renews(each, undefined));
  return live.sort((a, b) => a.current_period_end - b.current_period_end)[0] ?? null;
}
