import type Stripe from "stripe";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import { emit } from "./events.ts";
import {
  billPeriod,
  collect,
  draftPeriod,
  markPaid,
  noteFailure,
  listOpenInvoices,
  voidInvoice,
} from "./invoices.ts";
import { findChargeMethod } from "./payment-methods.ts";
import { all, find, toId, idOrNull, need, save, setDue } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { addInterval, clockNow, findTestClock, DAY, nowFor } from "./times.ts";

/** Seconds until a subscription without a first payment expires. */
const FIRST_PAYMENT_SECONDS = 23 * 3600;
const REMIND_BEFORE = 3 * DAY;

/** Time of the next automatic change of a subscription; null for none. */
function nextDue(sim: Simulator, subscription: Stripe.Subscription): number | null {
  const { status, created, cancel_at: cancelAt, current_period_end: periodEnd } = subscription;
  const retries = listOpenInvoices(sim, subscription).flatMap(({ next_payment_attempt: at }) => at ?? []);
  switch (status) {
    case "incomplete":
      return created + FIRST_PAYMENT_SECONDS;
    case "trialing": {
      const end = Math.min(subscription.trial_end ?? periodEnd, cancelAt ?? Infinity);
      return isReminded(sim, subscription) ? end : Math.min(end, end - REMIND_BEFORE);
    }
    case "active":
    case "past_due":
    case "unpaid":
      return Math.min(periodEnd, cancelAt ?? Infinity, ...retries);
    default:
      return null;
  }
}

const isReminded = (sim: Simulator, { id }: Stripe.Subscription) =>
  readSetting<boolean>(sim.db, `reminded:${id}`) === true;

/** Schedules the next change of a subscription. @returns its current state */
export function schedule(sim: Simulator, id: string): Stripe.Subscription {
  const subscription = need(sim, "subscription", { id });
  const ownClock = findTestClock(sim, toId(subscription.customer)) !== null;
  setDue(sim, id, ownClock ? null : nextDue(sim, subscription));
  return subscription;
}

/** Catches up on everything due by the simulator's clock. */
export function runDue(sim: Simulator): void {
  const now = clockNow(sim);
  for (let turns = 0; turns < 10_000; turns += 1) {
    const row = sim.db
      .prepare("SELECT id, due_at FROM object WHERE due_at <= ? ORDER BY due_at LIMIT 1")
      .get(now);
    if (!row) return;
    const late = find(sim, "payment_intent", String(row["id"]));
    if (late) settleLate(sim, late);
    else runAt(sim, String(row["id"]), Number(row["due_at"]));
  }
}

/** Updates a payment's invoice and subscription with a delay, as may happen at Stripe. */
function settleLate(sim: Simulator, intent: Stripe.PaymentIntent): void {
  setDue(sim, intent.id, null);
  applyIntent(sim, intent);
}

/** Moves a test clock, letting everything due for its customers happen on the way. */
export function advanceClock(sim: Simulator, clockId: string, target: number): void {
  const mine = () =>
    all(sim, "subscription").filter(({ customer }) => findTestClock(sim, toId(customer)) === clockId);
  for (let turns = 0; turns < 10_000; turns += 1) {
    const due = mine()
      .map((subscription) => ({ id: subscription.id, at: nextDue(sim, subscription) }))
      .filter((entry): entry is { id: string; at: number } => entry.at !== null && entry.at <= target)
      .sort((a, b) => a.at - b.at)[0];
    if (!due) return;
    runAt(sim, due.id, due.at);
  }
}

function runAt(sim: Simulator, id: string, at: number): void {
  sim.asOf = at;
  try {
    step(sim, need(sim, "subscription", { id }), at);
  } finally {
    sim.asOf = null;
  }
  schedule(sim, id);
}

function step(sim: Simulator, subscription: Stripe.Subscription, now: number): void {
  const { status, cancel_at: cancelAt } = subscription;
  if (status === "incomplete") return expire(sim, subscription, now);
  if (cancelAt !== null && cancelAt <= now) return end(sim, subscription, now);
  if (status === "trialing") {
    if ((subscription.trial_end ?? 0) > now) return remind(sim, subscription);
    return endTrial(sim, subscription, now);
  }
  const retry = listOpenInvoices(sim, subscription).find(
    ({ next_payment_attempt: at }) => at !== null && at <= now,
  );
  if (retry) return settle(sim, subscription.id, collect(sim, retry));
  return renew(sim, subscription);
}

function expire(sim: Simulator, subscription: Stripe.Subscription, now: number): void {
  for (const invoice of listOpenInvoices(sim, subscription)) voidInvoice(sim, invoice.id);
  const expired = save(sim, "subscription", { ...subscription, status: "incomplete_expired", ended_at: now });
  emit(sim, "customer.subscription.updated", { object: expired, previous: { status: "incomplete" } });
}

function end(sim: Simulator, subscription: Stripe.Subscription, now: number): void {
  const ended = save(sim, "subscription", { ...subscription, status: "canceled", ended_at: now });
  emit(sim, "customer.subscription.deleted", ended);
}

function remind(sim: Simulator, subscription: Stripe.Subscription): void {
  writeSetting(sim.db, `reminded:${subscription.id}`, true);
  emit(sim, "customer.subscription.trial_will_end", subscription);
}

function endTrial(sim: Simulator, subscription: Stripe.Subscription, now: number): void {
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (!findChargeMethod(sim, subscription) && behavior === "cancel") return end(sim, subscription, now);
  if (!findChargeMethod(sim, subscription) && behavior === "pause") {
    const paused = save(sim, "subscription", { ...subscription, status: "paused" });
    emit(sim, "customer.subscription.paused", paused);
    emit(sim, "customer.subscription.updated", { object: paused, previous: { status: "trialing" } });
    return;
  }
  renew(sim, subscription);
}

/** Period after the current one. */
export function nextPeriod({ current_period_end: start, items }: Stripe.Subscription) {
  const recurring = items.data[0]?.price.recurring;
  const end = addInterval(start, recurring?.interval ?? "month", recurring?.interval_count ?? 1);
  return { current_period_start: start, current_period_end: end };
}

/** Starts the next period and charges it. */
function renew(sim: Simulator, subscription: Stripe.Subscription): void {
  const { status, current_period_end: start } = subscription;
  const renewed = save(sim, "subscription", {
    ...subscription,
    status: status === "trialing" ? "active" : status,
    ...nextPeriod(subscription),
  });
  const period = { reason: "subscription_cycle", isFree: false } as const;
  // Once Stripe has given up, invoices stay drafts.
  const invoice = (status === "unpaid" ? draftPeriod : billPeriod)(sim, renewed, period);
  const next = save(sim, "subscription", { ...renewed, latest_invoice: invoice.id });
  emit(sim, "customer.subscription.updated", { object: next, previous: { current_period_end: start } });
  const isCharged = status !== "unpaid" && subscription.collection_method !== "send_invoice";
  if (isCharged) settle(sim, next.id, collect(sim, invoice));
}

/** Applies the outcome of a collection to a subscription. */
function settle(sim: Simulator, id: string, isPaid: boolean): void {
  if (isPaid) return;
  const subscription = need(sim, "subscription", { id });
  const retries = listOpenInvoices(sim, subscription).some(({ next_payment_attempt: at }) => at !== null);
  const now = nowFor(sim, toId(subscription.customer));
  if (!retries) {
    const action = readSetting<"cancel" | "unpaid" | "past_due">(sim.db, "dunning") ?? "cancel";
    if (action === "cancel") return end(sim, subscription, now);
    if (action === "unpaid") return become(sim, subscription, "unpaid");
  }
  become(sim, subscription, "past_due");
}

function become(sim: Simulator, subscription: Stripe.Subscription, status: Stripe.Subscription.Status): void {
  if (subscription.status === status) return;
  const next = save(sim, "subscription", { ...subscription, status });
  emit(sim, "customer.subscription.updated", { object: next, previous: { status: subscription.status } });
}

/**
 * Applies a payment's new status to its invoice and subscription: at once, or after `lag` seconds if it
 * succeeded.
 */
export function onIntent(sim: Simulator, intent: Stripe.PaymentIntent): void {
  const lag = intent.status === "succeeded" ? (readSetting<number>(sim.db, "lag") ?? 0) : 0;
  if (lag > 0) return setDue(sim, intent.id, clockNow(sim) + lag);
  applyIntent(sim, intent);
}

function applyIntent(sim: Simulator, intent: Stripe.PaymentIntent): void {
  const invoice = find(sim, "invoice", idOrNull(intent.invoice) ?? "");
  if (!invoice || invoice.status !== "open") return;
  if (intent.status === "requires_action") return emit(sim, "invoice.payment_action_required", invoice);
  if (intent.status !== "succeeded") return void noteFailure(sim, invoice.id);
  markPaid(
    sim,
    { ...invoice, charge: idOrNull(intent.latest_charge) },
    nowFor(sim, idOrNull(invoice.customer)),
  );
  const subscription = find(sim, "subscription", idOrNull(invoice.subscription) ?? "");
  if (!subscription) return;
  const keepsMethod = subscription.payment_settings?.save_default_payment_method === "on_subscription";
  const next = save(sim, "subscription", {
    ...subscription,
    ...(keepsMethod ? { default_payment_method: idOrNull(intent.payment_method) } : {}),
  });
  const waits = ["incomplete", "past_due", "unpaid"].includes(next.status);
  // Only the latest invoice counts, even if older ones are open.
  if (waits && idOrNull(next.latest_invoice) === invoice.id) become(sim, next, "active");
  schedule(sim, next.id);
}
