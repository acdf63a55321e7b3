import type Stripe from "stripe";
import { changedShipping } from "./addresses.ts";
import { StripeFault } from "./api-error.ts";
import { currency, paymentAmount } from "./currencies.ts";
import { changedMetadata, choice, email, flag, group, text, type Form } from "./form.ts";
import { ownMethod } from "./payment-methods.ts";
import { idOrNull, need, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";

/** Settings of a payment before its confirmation: card, capture, shipping, and e-mail of the receipt. */
export function chosen(
  sim: Simulator,
  known: Stripe.PaymentIntent,
  form: Form,
): Partial<Stripe.PaymentIntent> {
  const asked = text(form, "payment_method");
  const method = asked ? ownMethod(sim, asked, idOrNull(known.customer)).id : null;
  const receipt = email(form, "receipt_email");
  return {
    ...(method ? { payment_method: method, status: "requires_confirmation" } : {}),
    automatic_payment_methods: flag(group(form, "automatic_payment_methods"), "enabled")
      ? { enabled: true }
      : known.automatic_payment_methods,
    capture_method:
      choice(form, "capture_method", ["automatic", "automatic_async", "manual"]) ?? known.capture_method,
    receipt_email: receipt === undefined ? known.receipt_email : receipt || null,
    shipping: changedShipping(form, known.shipping),
  };
}

/** Changes an intent that is not confirmed yet. */
export function updateIntent(sim: Simulator, id: string, form: Form): Stripe.PaymentIntent {
  const known = need(sim, "payment_intent", { id });
  if (!["requires_payment_method", "requires_confirmation"].includes(known.status))
    throw unexpectedState(known);
  const customer = text(form, "customer") || idOrNull(known.customer);
  if (customer) need(sim, "customer", { id: customer, param: "customer" });
  return save(sim, "payment_intent", {
    ...known,
    ...chosen(sim, { ...known, customer }, form),
    amount: paymentAmount(form) ?? known.amount,
    currency: currency(form) ?? known.currency,
    customer,
    description: form["description"] === undefined ? known.description : text(form, "description") || null,
    metadata: changedMetadata(known.metadata, form),
  });
}

export const unexpectedState = (intent: Stripe.PaymentIntent) =>
  new StripeFault({
    status: 400,
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot perform this action because this PaymentIntent has a status of ${intent.status}.`,
    payment_intent: intent,
  });
