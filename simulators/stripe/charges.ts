import type Stripe from "stripe";
import { idOrNull, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export type Decline = { code: string; message: string; decline_code?: string };

/** What was taken of a card, or tried. */
export function saveCharge(
  sim: Simulator,
  intent: Stripe.PaymentIntent,
  facts: Decline | null,
): Stripe.Charge {
  const charge: Partial<Stripe.Charge> & { id: string } = {
    id: newId("ch_"),
    object: "charge",
    amount: intent.amount,
    amount_captured: facts ? 0 : intent.amount,
    amount_refunded: 0,
    balance_transaction: null,
    captured: !facts,
    created: machineNow(sim),
    currency: intent.currency,
    customer: idOrNull(intent.customer),
    description: intent.description,
    disputed: false,
    failure_code: facts?.code ?? null,
    failure_message: facts?.message ?? null,
    invoice: idOrNull(intent.invoice),
    livemode: false,
    metadata: {},
    paid: !facts,
    payment_intent: intent.id,
    payment_method: idOrNull(intent.payment_method),
    receipt_url: null,
    refunded: false,
    status: facts ? "failed" : "succeeded",
  };
  return save(sim, "charge", charge as Stripe.Charge);
}
