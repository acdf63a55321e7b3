import type Stripe from "stripe";
import { invalid, StripeFault } from "./api-error.ts";
import { readCancellation, ENDED } from "./cancellations.ts";
import { resolvePrice } from "./catalog.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, flag, group, groups, integer, required, text, type Form } from "./form.ts";
import { billPeriod, collect, draftItems, finalize } from "./invoices.ts";
import { schedule } from "./lifecycle.ts";
import { prorate } from "./proration.ts";
import { attachedMethod, findChargeMethod } from "./payment-methods.ts";
import { openSetupIntent } from "./setup-intents.ts";
import { need, newId, save } from "./store.ts";
import { blankSubscription, newItem } from "./subscription-shape.ts";
import type { Simulator } from "./simulator.ts";
import { addInterval, findTestClock, DAY, nowFor } from "./times.ts";

export const SUBSCRIPTION_FIELDS = [
  "cancel_at",
  "cancel_at_period_end",
  "cancellation_details",
  "collection_method",
  "currency",
  "customer",
  "days_until_due",
  "default_payment_method",
  "description",
  "items",
  "metadata",
  "off_session",
  "payment_behavior",
  "payment_settings",
  "proration_behavior",
  "trial_end",
  "trial_period_days",
  "trial_settings",
] as const;

const BEHAVIORS = [
  "allow_incomplete",
  "default_incomplete",
  "error_if_incomplete",
  "pending_if_incomplete",
] as const;

/** Starts a subscription. Unless there is a trial first, its first invoice is due at once. */
export function createSubscription(sim: Simulator, form: Form): Stripe.Subscription {
  const customer = need(sim, "customer", { id: required(form, "customer"), param: "customer" });
  const now = nowFor(sim, customer.id);
  const id = newId("sub_");
  const items = readItems(sim, form).map(({ price, quantity }) =>
    newItem(id, { price, quantity, created: now }),
  );
  const first = items[0]?.price;
  if (!first?.recurring)
    throw invalid("Missing required param: items.", { param: "items", code: "parameter_missing" });
  const behavior = choice(form, "payment_behavior", BEHAVIORS) ?? "allow_incomplete";
  const trialEnd = readTrialEnd(form, now);
  const { interval, interval_count: count } = first.recurring;
  const made = save(sim, "subscription", {
    ...blankSubscription({
      id,
      created: now,
      customer: customer.id,
      currency: first.currency,
      items,
      period: { start: now, end: trialEnd ?? addInterval(now, interval, count) },
      trialEnd,
      clock: findTestClock(sim, customer.id),
      metadata: changedMetadata({}, form),
    }),
    ...readCommonSettings(sim, customer.id, form),
  });
  return begin(sim, save(sim, "subscription", { ...made, ...plannedEnd(made, { form, now }) }), behavior);
}

function begin(
  sim: Simulator,
  made: Stripe.Subscription,
  behavior: (typeof BEHAVIORS)[number],
): Stripe.Subscription {
  const isTrial = made.trial_end !== null;
  const hasMethod = findChargeMethod(sim, made) !== null;
  const isSent = made.collection_method === "send_invoice";
  const isCollected = !isSent && behavior !== "default_incomplete";
  if (!isTrial && !hasMethod && isCollected)
    throw invalid(
      "This customer has no attached payment source or default payment method. Please consider adding a default payment method.",
      { code: "resource_missing" },
    );
  const invoice = billPeriod(sim, made, { reason: "subscription_create", isFree: isTrial });
  const isPaid = invoice.status === "paid";
  const isOn = isPaid || isSent;
  const opened = save(sim, "subscription", {
    ...made,
    latest_invoice: invoice.id,
    status: isTrial ? "trialing" : isOn ? "active" : "incomplete",
    pending_setup_intent:
      isTrial && !hasMethod ? openSetupIntent(sim, { customer: String(made.customer) }).id : null,
  });
  emit(sim, "customer.subscription.created", opened);
  if (!isPaid && isCollected) collectFirst(sim, invoice, behavior);
  return schedule(sim, opened.id);
}

function collectFirst(sim: Simulator, invoice: Stripe.Invoice, behavior: (typeof BEHAVIORS)[number]): void {
  const collected = collect(sim, invoice, true);
  if (!collected && behavior === "error_if_incomplete")
    throw new StripeFault({
      status: 402,
      type: "card_error",
      code: "card_declined",
      message: "Your card was declined.",
    });
}

function readItems(sim: Simulator, form: Form): { price: Stripe.Price; quantity: number }[] {
  return groups(form, "items").map((item) => {
    const price = resolvePrice(sim, item, "items[0][price]");
    if (!price.active)
      throw invalid("The price specified is inactive. This field only accepts active prices.", {
        param: "items[0][price]",
      });
    return { price, quantity: integer(item, "quantity") ?? 1 };
  });
}

function readTrialEnd(form: Form, now: number): number | null {
  const days = integer(form, "trial_period_days");
  if (days !== undefined && days > 0) return now + days * DAY;
  if (text(form, "trial_end") === "now") return null;
  return integer(form, "trial_end") ?? null;
}

/** Reads the settings shared by creation and update. */
function readCommonSettings(sim: Simulator, customer: string, form: Form): Partial<Stripe.Subscription> {
  const payment = choice(group(form, "payment_settings"), "save_default_payment_method", [
    "off",
    "on_subscription",
  ]);
  const behavior = choice(group(group(form, "trial_settings"), "end_behavior"), "missing_payment_method", [
    "cancel",
    "create_invoice",
    "pause",
  ]);
  const method = text(form, "default_payment_method");
  if (method) attachedMethod(sim, { id: method, customer, param: "default_payment_method" });
  const collection = choice(form, "collection_method", ["charge_automatically", "send_invoice"]);
  const days = integer(form, "days_until_due");
  if (collection === "send_invoice") required(form, "days_until_due");
  return {
    ...(collection ? { collection_method: collection } : {}),
    ...(days === undefined ? {} : { days_until_due: days }),
    ...readCancellation(form),
    ...(payment
      ? {
          payment_settings: {
            payment_method_options: null,
            payment_method_types: null,
            save_default_payment_method: payment,
          },
        }
      : {}),
    ...(behavior ? { trial_settings: { end_behavior: { missing_payment_method: behavior } } } : {}),
    ...(method === undefined ? {} : { default_payment_method: method || null }),
    ...(form["description"] === undefined ? {} : { description: text(form, "description") || null }),
  };
}

export function updateSubscription(sim: Simulator, id: string, form: Form): Stripe.Subscription {
  const known = need(sim, "subscription", { id });
  if (ENDED.has(known.status) && Object.keys(form).some((name) => name !== "metadata"))
    throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
  const now = nowFor(sim, String(known.customer));
  const next = save(sim, "subscription", {
    ...known,
    ...readCommonSettings(sim, String(known.customer), form),
    ...plannedEnd(known, { form, now }),
    ...changedItems(sim, known, form),
    metadata: changedMetadata(known.metadata, form),
    ...(text(form, "trial_end") === "now" && known.status === "trialing" ? { trial_end: now } : {}),
  });
  emit(sim, "customer.subscription.updated", { object: next, previous: {} });
  if (form["items"] !== undefined && text(form, "proration_behavior") === "always_invoice")
    invoiceNow(sim, next);
  return schedule(sim, id);
}

function plannedEnd(
  known: Stripe.Subscription,
  { form, now }: { form: Form; now: number },
): Partial<Stripe.Subscription> {
  const atEnd = flag(form, "cancel_at_period_end");
  if (atEnd === true)
    return { cancel_at_period_end: true, cancel_at: known.current_period_end, canceled_at: now };
  // An end on a custom date stays.
  if (atEnd === false && known.cancel_at_period_end)
    return { cancel_at_period_end: false, cancel_at: null, canceled_at: null };
  if (form["cancel_at"] === undefined) return {};
  const at = integer(form, "cancel_at") ?? null;
  return { cancel_at: at, cancel_at_period_end: false, canceled_at: at === null ? null : now };
}

/** Changes price or quantity from now on; prorates the rest of the current period unless disabled. */
export function changedItems(
  sim: Simulator,
  known: Stripe.Subscription,
  form: Form,
): Partial<Stripe.Subscription> {
  const [asked] = groups(form, "items");
  const [item, ...others] = known.items.data;
  if (!asked || !item) return {};
  const isOther = ["price", "price_data", "plan"].some((name) => name in asked);
  const price = isOther ? resolvePrice(sim, asked, "items[0][price]") : item.price;
  const before = { price: item.price, quantity: item.quantity ?? 1 };
  const after = { price, quantity: integer(asked, "quantity") ?? before.quantity };
  const isSame = price.id === item.price.id && after.quantity === before.quantity;
  if (!isSame && isProrated(known, form))
    prorate(sim, { subscription: known, before, after, now: nowFor(sim, String(known.customer)) });
  return { items: { ...known.items, data: [{ ...item, ...after }, ...others] } };
}

/** Unpaid periods are not prorated. */
const isProrated = ({ status }: Stripe.Subscription, form: Form): boolean =>
  ["active", "past_due"].includes(status) && choice(form, "proration_behavior", PRORATIONS) !== "none";

const PRORATIONS = ["always_invoice", "create_prorations", "none"] as const;

/** Bills prorated items at once instead of with the next renewal. */
function invoiceNow(sim: Simulator, { id, customer }: Stripe.Subscription): void {
  const invoice = finalize(sim, draftItems(sim, String(customer), id));
  const next = save(sim, "subscription", {
    ...need(sim, "subscription", { id }),
    latest_invoice: invoice.id,
  });
  if (!collect(sim, invoice, true)) save(sim, "subscription", { ...next, status: "past_due" });
}

/** Resumes a subscription that was paused for lack of a card: starts and charges a new period. */
export function resumeSubscription(sim: Simulator, id: string): Stripe.Subscription {
  const known = need(sim, "subscription", { id });
  if (known.status !== "paused") throw invalid("Only paused subscriptions can be resumed.");
  const now = nowFor(sim, String(known.customer));
  const recurring = known.items.data[0]?.price.recurring;
  const renewed = save(sim, "subscription", {
    ...known,
    current_period_start: now,
    current_period_end: addInterval(now, recurring?.interval ?? "month", recurring?.interval_count ?? 1),
  });
  const invoice = billPeriod(sim, renewed, { reason: "subscription_update", isFree: false });
  const next = save(sim, "subscription", { ...renewed, latest_invoice: invoice.id });
  if (collect(sim, invoice, true)) {
    const active = save(sim, "subscription", { ...next, status: "active" });
    emit(sim, "customer.subscription.resumed", active);
    emit(sim, "customer.subscription.updated", { object: active, previous: { status: "paused" } });
  }
  return schedule(sim, id);
}
