import type Stripe from "stripe";
import { emit } from "./events.ts";
import { save, newId } from "./store.ts";
import type { Simulator } from "./simulator.ts";

type Sold = { price: Stripe.Price; quantity: number };
type Change = { subscription: Stripe.Subscription; before: Sold; after: Sold; now: number };

/** Prorates a change of price or quantity: a credit for the rest of the old period, a charge for the new one. */
export function prorate(sim: Simulator, { subscription, before, after, now }: Change): void {
  const { current_period_start: start, current_period_end: end } = subscription;
  const left = Math.max(0, (end - now) / (end - start));
  const prorated = ({ price, quantity }: Sold) => Math.round((price.unit_amount ?? 0) * quantity * left);
  addPart(sim, { subscription, now, sold: before, amount: -prorated(before), word: "Unused" });
  addPart(sim, { subscription, now, sold: after, amount: prorated(after), word: "Remaining" });
}

type Part = { subscription: Stripe.Subscription; now: number; sold: Sold; amount: number; word: string };

function addPart(sim: Simulator, { subscription, now, sold, amount, word }: Part): void {
  const { price, quantity } = sold;
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  const item: Omit<Stripe.InvoiceItem, "lastResponse"> = {
    id: newId("ii_"),
    object: "invoiceitem",
    amount,
    currency: price.currency,
    customer: subscription.customer,
    date: now,
    description: `${word} time on ${price.nickname ?? price.id} after ${day}`,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    period: { start: now, end: subscription.current_period_end },
    plan: null,
    price,
    proration: true,
    quantity,
    subscription: subscription.id,
    tax_rates: [],
    test_clock: subscription.test_clock,
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  emit(sim, "invoiceitem.created", save(sim, "invoiceitem", item as Stripe.InvoiceItem));
}
