import type Stripe from "stripe";
import { missing } from "./api-error.ts";
import { deleteCustomer } from "./customers.ts";
import { emit } from "./events.ts";
import { choice, group, text, type Form } from "./form.ts";
import { listOpenInvoices, voidInvoice } from "./invoices.ts";
import { schedule } from "./lifecycle.ts";
import { all, need, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { nowFor } from "./times.ts";

/** Reads the customer's reason for a cancellation. */
export function readCancellation(form: Form, reason: "cancellation_requested" | null = null) {
  const details = group(form, "cancellation_details");
  if (reason === null && form["cancellation_details"] === undefined) return {};
  const feedback = choice(details, "feedback", FEEDBACK) ?? null;
  return { cancellation_details: { comment: text(details, "comment") || null, feedback, reason } };
}

const FEEDBACK = [
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
] as const;

export const ENDED = new Set(["canceled", "incomplete_expired"]);

export const CANCEL_FIELDS = ["cancellation_details", "invoice_now", "prorate"] as const;

export function cancelSubscription(sim: Simulator, id: string, form: Form = {}): Stripe.Subscription {
  const known = need(sim, "subscription", { id });
  if (ENDED.has(known.status)) throw missing("subscription", id);
  const now = nowFor(sim, String(known.customer));
  const details = readCancellation(form, "cancellation_requested");
  // A subscription whose first payment was never made expires instead: it is updated, not deleted.
  const isUnpaid = known.status === "incomplete";
  if (isUnpaid) for (const invoice of listOpenInvoices(sim, known)) voidInvoice(sim, invoice.id);
  const status = isUnpaid ? ("incomplete_expired" as const) : ("canceled" as const);
  const ended = save(sim, "subscription", { ...known, status, canceled_at: now, ended_at: now, ...details });
  if (isUnpaid)
    emit(sim, "customer.subscription.updated", { object: ended, previous: { status: known.status } });
  else emit(sim, "customer.subscription.deleted", ended);
  return schedule(sim, id);
}

/** Deletes a customer and ends their subscriptions. */
export function deletePayer(sim: Simulator, id: string): object {
  for (const each of all(sim, "subscription", id))
    if (!ENDED.has(each.status)) cancelSubscription(sim, each.id);
  return deleteCustomer(sim, id);
}
