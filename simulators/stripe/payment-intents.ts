import type Stripe from "stripe";
import { changedShipping } from "./addresses.ts";
import { invalid, StripeFault } from "./api-error.ts";
import { readBehavior, declineFacts } from "./cards.ts";
import { saveCharge, type Decline } from "./charges.ts";
import { paymentAmount, requiredCurrency } from "./currencies.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, flag, group, integer, required, text, type Form } from "./form.ts";
import { chosen, unexpectedState } from "./intent-changes.ts";
import { attach, createMethod, ownMethod } from "./payment-methods.ts";
import { find, toId, idOrNull, need, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const INTENT_FIELDS = [
  "amount",
  "automatic_payment_methods",
  "capture_method",
  "confirm",
  "confirmation_method",
  "currency",
  "customer",
  "description",
  "error_on_requires_action",
  "metadata",
  "off_session",
  "payment_method",
  "payment_method_data",
  "payment_method_types",
  "receipt_email",
  "return_url",
  "setup_future_usage",
  "shipping",
  "use_stripe_sdk",
] as const;

/** Parameters of a confirmation; a browser also sends its key and the secret. */
export const CONFIRM_FIELDS = [
  "client_secret",
  "expected_payment_method_type",
  "key",
  "off_session",
  "payment_method",
  "payment_method_data",
  "return_url",
  "setup_future_usage",
  "shipping",
  "use_stripe_sdk",
  "_stripe_version",
] as const;

type NewIntent = {
  amount: number;
  currency: string;
  customer: string | null;
  invoice?: string;
  description?: string;
  metadata?: Record<string, string>;
  setupFutureUsage?: "off_session" | "on_session" | null;
};

export function openIntent(sim: Simulator, intent: NewIntent): Stripe.PaymentIntent {
  const id = newId("pi_");
  const made = save(sim, "payment_intent", {
    id,
    object: "payment_intent",
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_${newId("", 25)}`,
    confirmation_method: "automatic",
    created: machineNow(sim),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description ?? null,
    invoice: intent.invoice ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: intent.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: intent.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
  });
  emit(sim, "payment_intent.created", made);
  return made;
}

export function createIntent(sim: Simulator, form: Form): Stripe.PaymentIntent {
  const currency = requiredCurrency(form);
  const amount = paymentAmount(form) ?? Number(required(form, "amount"));
  const customer = text(form, "customer") || null;
  if (customer) need(sim, "customer", { id: customer, param: "customer" });
  const opened = openIntent(sim, {
    amount,
    currency,
    customer,
    metadata: changedMetadata({}, form),
    setupFutureUsage: choice(form, "setup_future_usage", ["off_session", "on_session"]) ?? null,
    ...(text(form, "description") ? { description: required(form, "description") } : {}),
  });
  const intent = save(sim, "payment_intent", { ...opened, ...chosen(sim, opened, form) });
  return flag(form, "confirm") ? confirmIntent(sim, intent.id, form) : intent;
}

/**
 * Pays an intent with a method. The status shows the outcome: succeeded, or the holder is asked first.
 * @throws StripeFault 402 for a declined card; what was recorded of it is kept
 */
export function confirmIntent(sim: Simulator, id: string, form: Form): Stripe.PaymentIntent {
  const intent = need(sim, "payment_intent", { id });
  if (["succeeded", "canceled", "requires_capture"].includes(intent.status)) throw unexpectedState(intent);
  const data = group(form, "payment_method_data");
  const asked = text(form, "payment_method");
  const known = idOrNull(intent.payment_method);
  const method =
    Object.keys(data).length > 0
      ? createMethod(sim, data)
      : asked || known
        ? ownMethod(sim, asked || (known ?? ""), idOrNull(intent.customer))
        : undefined;
  if (!method)
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      { code: "payment_intent_unexpected_state" },
    );
  return charge(
    sim,
    { ...intent, payment_method: method.id, shipping: changedShipping(form, intent.shipping) },
    { isHolderThere: form["off_session"] !== "true" },
  );
}

/** Charges an intent's method. @throws StripeFault 402 for a declined card */
export function charge(
  sim: Simulator,
  intent: Stripe.PaymentIntent,
  { isHolderThere, isAuthenticated = false }: { isHolderThere: boolean; isAuthenticated?: boolean },
): Stripe.PaymentIntent {
  const methodId = toId(intent.payment_method ?? "");
  const behavior = readBehavior(sim, methodId);
  const setUp = behavior.authentication === "unless_set_up" && !isHolderThere;
  const asks = behavior.authentication !== "never" && !setUp && !isAuthenticated;
  if (asks && isHolderThere) return askHolder(sim, intent);
  if (asks)
    return decline(sim, intent, {
      code: "authentication_required",
      decline_code: "authentication_required",
      message: "Your card was declined. This transaction requires authentication.",
    });
  if (behavior.decline) return decline(sim, intent, declineFacts(behavior.decline));
  return succeed(sim, intent);
}

function askHolder(sim: Simulator, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const asked = save(sim, "payment_intent", {
    ...intent,
    status: "requires_action",
    next_action: {
      type: "use_stripe_sdk",
      use_stripe_sdk: {
        type: "three_d_secure_redirect",
        stripe_js: `${sim.publicUrl}/elements/challenge/${intent.id}`,
        source: newId("src_"),
      },
    },
  });
  emit(sim, "payment_intent.requires_action", asked);
  sim.onIntent(asked);
  return asked;
}

function succeed(sim: Simulator, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const customer = idOrNull(intent.customer);
  const method = find(sim, "payment_method", toId(intent.payment_method ?? ""));
  if (customer && method && !method.customer && intent.setup_future_usage) attach(sim, method.id, customer);
  const isHeld = intent.capture_method === "manual";
  const made = saveCharge(sim, intent, null);
  const paid = save(sim, "payment_intent", {
    ...intent,
    status: isHeld ? "requires_capture" : "succeeded",
    amount_capturable: isHeld ? intent.amount : 0,
    amount_received: isHeld ? 0 : intent.amount,
    latest_charge: made.id,
    last_payment_error: null,
    next_action: null,
  });
  emit(sim, "charge.succeeded", made);
  emit(sim, isHeld ? "payment_intent.amount_capturable_updated" : "payment_intent.succeeded", paid);
  sim.onIntent(paid);
  return paid;
}

/** Captures an authorized amount, or a part of it; the rest is released. */
export function captureIntent(sim: Simulator, id: string, form: Form): Stripe.PaymentIntent {
  const intent = need(sim, "payment_intent", { id });
  if (intent.status !== "requires_capture") throw unexpectedState(intent);
  const amount = integer(form, "amount_to_capture") ?? intent.amount_capturable;
  if (amount < 1 || amount > intent.amount_capturable)
    throw invalid("The amount to capture must be positive and at most the amount that is authorized.", {
      param: "amount_to_capture",
      code: "amount_too_large",
    });
  const held = need(sim, "charge", { id: toId(intent.latest_charge ?? "") });
  const captured = save(sim, "charge", {
    ...held,
    captured: true,
    amount_captured: amount,
    amount_refunded: held.amount - amount,
  });
  const paid = save(sim, "payment_intent", {
    ...intent,
    status: "succeeded",
    amount_capturable: 0,
    amount_received: amount,
  });
  emit(sim, "charge.captured", captured);
  emit(sim, "payment_intent.succeeded", paid);
  return paid;
}

/** Releases an authorized charge that was not captured. */
function releaseCharge(sim: Simulator, id: string): void {
  const held = need(sim, "charge", { id });
  emit(
    sim,
    "charge.refunded",
    save(sim, "charge", { ...held, amount_refunded: held.amount, refunded: true }),
  );
}

/** @throws StripeFault always; what it records is kept */
function decline(sim: Simulator, intent: Stripe.PaymentIntent, facts: Decline): never {
  const made = saveCharge(sim, intent, facts);
  const method = find(sim, "payment_method", toId(intent.payment_method ?? ""));
  const error = {
    ...facts,
    type: "card_error",
    charge: made.id,
    ...(method ? { payment_method: method } : {}),
  };
  const failed = save(sim, "payment_intent", {
    ...intent,
    payment_method: null,
    status: "requires_payment_method",
    latest_charge: made.id,
    last_payment_error: error as Stripe.PaymentIntent.LastPaymentError,
    next_action: null,
  });
  emit(sim, "charge.failed", made);
  emit(sim, "payment_intent.payment_failed", failed);
  sim.onIntent(failed);
  throw new StripeFault(
    {
      status: 402,
      type: "card_error",
      ...facts,
      charge: made.id,
      payment_intent: failed,
      ...(method ? { payment_method: method } : {}),
    },
    true,
  );
}

/** Records the cardholder's answer to the bank. */
export function answerHolder(sim: Simulator, id: string, isConfirmed: boolean): Stripe.PaymentIntent {
  const intent = need(sim, "payment_intent", { id });
  if (intent.status !== "requires_action") return intent;
  if (isConfirmed) return charge(sim, intent, { isHolderThere: true, isAuthenticated: true });
  const failed = save(sim, "payment_intent", {
    ...intent,
    payment_method: null,
    status: "requires_payment_method",
    next_action: null,
    last_payment_error: {
      type: "invalid_request_error",
      code: "payment_intent_authentication_failure",
      message:
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    },
  });
  emit(sim, "payment_intent.payment_failed", failed);
  sim.onIntent(failed);
  return failed;
}

export function cancelIntent(sim: Simulator, id: string): Stripe.PaymentIntent {
  const intent = need(sim, "payment_intent", { id });
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpectedState(intent);
  if (intent.status === "requires_capture") releaseCharge(sim, toId(intent.latest_charge ?? ""));
  const canceled = save(sim, "payment_intent", {
    ...intent,
    status: "canceled",
    amount_capturable: 0,
    canceled_at: machineNow(sim),
    next_action: null,
  });
  emit(sim, "payment_intent.canceled", canceled);
  return canceled;
}
