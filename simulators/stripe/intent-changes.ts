import type Stripe from "stripe";
import { StripeFault } from "./api-error.ts";
import { changedMetadata, flag, group, integer, text, type Form } from "./form.ts";
import { methodOf } from "./payment-methods.ts";
import { idOrNull, need, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";

/** What is said before a payment is confirmed: by which card, and where its receipt goes. */
export function chosen(
  sim: Simulator,
  known: Stripe.PaymentIntent,
  form: Form,
): Partial<Stripe.PaymentIntent> {
  const asked = text(form, "payment_method");
  const method = asked ? methodOf(sim, asked).id : null;
  return {
    ...(method ? { payment_method: method, status: "requires_confirmation" } : {}),
    automatic_payment_methods: flag(group(form, "automatic_payment_methods"), "enabled")
      ? { enabled: true }
      : known.automatic_payment_methods,
    receipt_email:
      form["receipt_email"] === undefined ? known.receipt_email : text(form, "receipt_email") || null,
  };
}

/** Changes an intent that nobody has confirmed yet. */
export function updateIntent(sim: Simulator, id: string, form: Form): Stripe.PaymentIntent {
  const known = need(sim, "payment_intent", { id });
  if (!["requires_payment_method", "requires_confirmation"].includes(known.status))
    throw unexpectedState(known);
  const customer = text(form, "customer") || idOrNull(known.customer);
  if (customer) need(sim, "customer", { id: customer, param: "customer" });
  return save(sim, "payment_intent", {
    ...known,
    ...chosen(sim, known, form),
    amount: integer(form, "amount") ?? known.amount,
    currency: text(form, "currency")?.toLowerCase() ?? known.currency,
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
