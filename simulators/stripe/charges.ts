import type Stripe from "stripe";
import { find, idOrNull, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export type Decline = { code: string; message: string; decline_code?: string };

/** Records a charge of a card, or a failed attempt. */
export function saveCharge(
  sim: Simulator,
  intent: Stripe.PaymentIntent,
  facts: Decline | null,
): Stripe.Charge {
  const method = find(sim, "payment_method", idOrNull(intent.payment_method) ?? "");
  const isCaptured = !facts && intent.capture_method !== "manual";
  const charge: Omit<Stripe.Charge, "lastResponse"> = {
    id: newId("ch_"),
    object: "charge",
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method?.billing_details ?? { address: null, email: null, name: null, phone: null },
    calculated_statement_descriptor: null,
    captured: isCaptured,
    created: machineNow(sim),
    currency: intent.currency,
    customer: idOrNull(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    fraud_details: null,
    failure_code: facts?.code ?? null,
    failure_message: facts?.message ?? null,
    invoice: idOrNull(intent.invoice),
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: !facts,
    payment_method_details: null,
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    payment_intent: intent.id,
    payment_method: idOrNull(intent.payment_method),
    receipt_url: null,
    refunded: false,
    refunds: null,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: facts ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
  return save(sim, "charge", charge as Stripe.Charge);
}
