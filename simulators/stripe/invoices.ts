import type Stripe from "stripe";
import { invalid, StripeFault } from "./api-error.ts";
import { emit } from "./events.ts";
import { blankInvoice } from "./invoice-shape.ts";
import { takeItems } from "./invoice-items.ts";
import { cancelIntent, charge, openIntent } from "./payment-intents.ts";
import { attachedMethod, findChargeMethod } from "./payment-methods.ts";
import { all, find, toId, idOrNull, need, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { DAY, nowFor } from "./times.ts";
import { flag, text, type Form } from "./form.ts";

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update" | "manual" | "upcoming";
type Period = { reason: Reason; isFree: boolean };

/** Days between the retries of a failed renewal. */
const RETRY_DAYS = [3, 5, 6];

/**
 * Creates and finalizes an invoice for a subscription's period: open until it is paid, or paid if nothing is
 * due.
 */
export function billPeriod(
  sim: Simulator,
  subscription: Stripe.Subscription,
  options: Period,
): Stripe.Invoice {
  return finalize(sim, draftPeriod(sim, subscription, options));
}

/** Drafts an invoice for a period; a renewal also bills items added meanwhile. */
export function draftPeriod(
  sim: Simulator,
  subscription: Stripe.Subscription,
  { reason, isFree }: Period,
): Stripe.Invoice {
  const period = { start: subscription.current_period_start, end: subscription.current_period_end };
  const lines = subscription.items.data.map((item) =>
    buildLine({ price: item.price, quantity: item.quantity ?? 1, isFree, period, subscription }),
  );
  const customerId = toId(subscription.customer);
  const invoice = draft(sim, { subscription, lines, reason, customerId });
  if (reason !== "subscription_cycle" && reason !== "upcoming") return invoice;
  const added = takeItemLines(sim, invoice);
  return save(sim, "invoice", withLines(invoice, [...added, ...lines]));
}

/** Drafts an invoice for items that were added to a customer manually, or prorated for a subscription. */
export function draftItems(sim: Simulator, customerId: string, subscriptionId?: string): Stripe.Invoice {
  need(sim, "customer", { id: customerId, param: "customer" });
  const subscription = subscriptionId ? need(sim, "subscription", { id: subscriptionId }) : null;
  const reason = subscription ? "subscription_update" : "manual";
  const invoice = draft(sim, { subscription, lines: [], reason, customerId });
  return save(sim, "invoice", withLines(invoice, takeItemLines(sim, invoice)));
}

export const takeItemLines = (sim: Simulator, invoice: Stripe.Invoice): Stripe.InvoiceLineItem[] =>
  takeItems(sim, invoice).map(toItemLine);

export function toItemLine(item: Stripe.InvoiceItem): Stripe.InvoiceLineItem {
  return {
    ...buildLine({ price: null, quantity: 1, isFree: false, period: item.period, subscription: null }),
    price: item.price,
    proration: item.proration,
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    invoice_item: item.id,
    type: "invoiceitem" as const,
  };
}

type Draft = {
  subscription: Stripe.Subscription | null;
  lines: Stripe.InvoiceLineItem[];
  reason: Reason;
  customerId: string;
};

export function draft(sim: Simulator, { subscription, lines, reason, customerId }: Draft): Stripe.Invoice {
  const customer = need(sim, "customer", { id: customerId });
  const of = subscription
    ? { currency: subscription.currency, subscription: subscription.id, metadata: subscription.metadata }
    : { currency: "usd", subscription: null, metadata: null };
  const invoice = blankInvoice({
    id: newId("in_"),
    created: nowFor(sim, customerId),
    customer: customerId,
    email: customer.email,
    name: customer.name ?? null,
    ...of,
    reason,
    clock: idOrNull(customer.test_clock),
  });
  const made = save(sim, "invoice", withLines(invoice, lines));
  emit(sim, "invoice.created", made);
  return made;
}

export function withLines(invoice: Stripe.Invoice, lines: Stripe.InvoiceLineItem[]): Stripe.Invoice {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...invoice,
    lines: { object: "list", data: lines, has_more: false, url: `/v1/invoices/${invoice.id}/lines` },
    // A credit larger than the amount due is not carried over.
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    period_start: lines[0]?.period.start ?? invoice.period_start,
    period_end: lines[0]?.period.end ?? invoice.period_end,
  };
}

type Line = {
  price: Stripe.Price | null;
  quantity: number;
  isFree: boolean;
  period: { start: number; end: number };
  subscription: Stripe.Subscription | null;
};

function buildLine({ price, quantity, isFree, period, subscription }: Line): Stripe.InvoiceLineItem {
  const each = price?.unit_amount ?? 0;
  const amount = isFree ? 0 : each * quantity;
  const line: Partial<Stripe.InvoiceLineItem> & { id: string } = {
    id: newId("il_"),
    object: "line_item",
    amount,
    amount_excluding_tax: amount,
    currency: subscription?.currency ?? "usd",
    description: isFree ? "Trial period" : `${quantity} × ${priceName(price)}`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    livemode: false,
    metadata: subscription?.metadata ?? {},
    period,
    plan: null,
    price,
    proration: false,
    proration_details: { credited_items: null },
    quantity,
    subscription: subscription?.id ?? null,
    tax_amounts: [],
    tax_rates: [],
    type: "subscription",
    unit_amount_excluding_tax: String(each),
  };
  return line as Stripe.InvoiceLineItem;
}

const priceName = (price: Stripe.Price | null): string => price?.nickname ?? "subscription";

/** Finalizes a draft: creates an intent for the amount due, or marks it paid if nothing is due. */
export function finalize(sim: Simulator, invoice: Stripe.Invoice): Stripe.Invoice {
  if (invoice.status !== "draft")
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
  const customer = toId(invoice.customer ?? "");
  const now = nowFor(sim, customer);
  const token = newId("live_", 32);
  const open = save(sim, "invoice", {
    ...invoice,
    status: "open",
    effective_at: now,
    number: `${find(sim, "customer", customer)?.invoice_prefix ?? "SIM"}-${String(all(sim, "invoice", customer).length).padStart(4, "0")}`,
    hosted_invoice_url: `${sim.publicUrl}/i/${invoice.id}/${token}`,
    invoice_pdf: `${sim.publicUrl}/i/${invoice.id}/${token}`,
    status_transitions: { ...invoice.status_transitions, finalized_at: now },
  });
  emit(sim, "invoice.finalized", open);
  if (open.amount_due === 0) return markPaid(sim, open, now);
  const intent = openIntent(sim, {
    amount: open.amount_due,
    currency: open.currency,
    customer,
    invoice: open.id,
    description: open.subscription ? "Subscription creation" : `Invoice ${open.number}`,
    setupFutureUsage: open.subscription ? "off_session" : null,
  });
  return save(sim, "invoice", { ...open, payment_intent: intent.id });
}

export function markPaid(sim: Simulator, invoice: Stripe.Invoice, now: number): Stripe.Invoice {
  const paid = save(sim, "invoice", {
    ...invoice,
    status: "paid",
    paid: true,
    attempted: true,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  });
  emit(sim, "invoice.paid", paid);
  emit(sim, "invoice.payment_succeeded", paid);
  return paid;
}

/**
 * Charges an open invoice to the saved card, like a renewal.
 * @returns whether it is paid
 */
export function collect(sim: Simulator, invoice: Stripe.Invoice, isHolderThere = false): boolean {
  const subscription = find(sim, "subscription", idOrNull(invoice.subscription) ?? "");
  const method = subscription ? findChargeMethod(sim, subscription) : null;
  const intent = find(sim, "payment_intent", idOrNull(invoice.payment_intent) ?? "");
  if (!intent) return invoice.status === "paid";
  if (!method) {
    noteFailure(sim, invoice.id);
    return false;
  }
  try {
    const charged = charge(sim, { ...intent, payment_method: method.id }, { isHolderThere });
    return charged.status === "succeeded";
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return false;
  }
}

/** Counts a failed attempt and schedules the next. */
export function noteFailure(sim: Simulator, invoiceId: string): Stripe.Invoice {
  const invoice = need(sim, "invoice", { id: invoiceId });
  const renewal = invoice.billing_reason === "subscription_cycle";
  const days = renewal ? RETRY_DAYS[invoice.attempt_count] : undefined;
  const now = nowFor(sim, idOrNull(invoice.customer));
  const failed = save(sim, "invoice", {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: days === undefined ? null : now + days * DAY,
  });
  emit(sim, "invoice.payment_failed", failed);
  return failed;
}

/**
 * Pays an open invoice now. @throws StripeFault 402 for a card that is declined or asks its holder, 400 if
 * not open
 */
export function payInvoice(sim: Simulator, id: string, form: Form): Stripe.Invoice {
  const known = need(sim, "invoice", { id });
  const invoice = known.status === "draft" ? finalize(sim, known) : known;
  if (invoice.status === "paid") {
    if (known.status === "draft") return invoice;
    throw invalid("Invoice is already paid", { code: "invoice_already_paid" });
  }
  if (invoice.status !== "open")
    throw invalid("This invoice can no longer be paid", { code: "invoice_not_editable" });
  const kept = methodToPay(sim, invoice, text(form, "payment_method"));
  const intent = need(sim, "payment_intent", { id: toId(invoice.payment_intent ?? "") });
  if (flag(form, "paid_out_of_band")) {
    cancelIntent(sim, intent.id);
    return markPaid(sim, { ...invoice, paid_out_of_band: true }, nowFor(sim, idOrNull(invoice.customer)));
  }
  if (!kept)
    throw new StripeFault({
      status: 402,
      type: "card_error",
      code: "missing",
      message: "Cannot charge a customer that has no active card",
    });
  const charged = charge(sim, { ...intent, payment_method: kept }, { isHolderThere: true });
  if (charged.status === "requires_action")
    throw new StripeFault(
      {
        status: 402,
        type: "card_error",
        code: "invoice_payment_intent_requires_action",
        message:
          "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
      },
      true,
    );
  return need(sim, "invoice", { id });
}

/** Finds the requested method, else the subscription's, else the customer's. */
function methodToPay(sim: Simulator, invoice: Stripe.Invoice, asked: string | undefined): string | null {
  if (asked)
    return attachedMethod(sim, { id: asked, customer: toId(invoice.customer ?? ""), param: "payment_method" })
      .id;
  const subscription = find(sim, "subscription", idOrNull(invoice.subscription) ?? "");
  const kept = subscription && findChargeMethod(sim, subscription);
  if (kept) return kept.id;
  const customer = find(sim, "customer", toId(invoice.customer ?? ""));
  return idOrNull(customer?.invoice_settings.default_payment_method);
}

export function voidInvoice(sim: Simulator, id: string): Stripe.Invoice {
  const invoice = need(sim, "invoice", { id });
  if (invoice.status !== "open" && invoice.status !== "uncollectible")
    throw invalid("You can only pass in open invoices. This invoice isn't open.");
  const intent = find(sim, "payment_intent", idOrNull(invoice.payment_intent) ?? "");
  if (intent && intent.status !== "canceled") cancelIntent(sim, intent.id);
  const voided = save(sim, "invoice", {
    ...invoice,
    status: "void",
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, voided_at: nowFor(sim, idOrNull(invoice.customer)) },
  });
  emit(sim, "invoice.voided", voided);
  return voided;
}

export const listOpenInvoices = (sim: Simulator, subscription: Stripe.Subscription): Stripe.Invoice[] =>
  all(sim, "invoice", toId(subscription.customer)).filter(
    (invoice) => invoice.status === "open" && idOrNull(invoice.subscription) === subscription.id,
  );
