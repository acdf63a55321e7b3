import type Stripe from "stripe";
import { resolvePrice } from "./catalog.ts";
import { requiredCurrency } from "./currencies.ts";
import { emit } from "./events.ts";
import { changedMetadata, flag, integer, required, text, type Form } from "./form.ts";
import { all, idOrNull, need, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { nowFor } from "./times.ts";

export const ITEM_FIELDS = [
  "amount",
  "currency",
  "customer",
  "description",
  "discountable",
  "invoice",
  "metadata",
  "price",
  "price_data",
  "quantity",
  "subscription",
  "unit_amount",
] as const;

/** Adds an amount to the next invoice of a customer. */
export function createItem(sim: Simulator, form: Form): Stripe.InvoiceItem {
  const customer = required(form, "customer");
  need(sim, "customer", { id: customer, param: "customer" });
  const price = form["price"] || form["price_data"] ? resolvePrice(sim, form, "price") : null;
  const at = nowFor(sim, customer);
  const { quantity, each, amount } = computeAmounts(form, price);
  const subscription = text(form, "subscription") || null;
  if (subscription) need(sim, "subscription", { id: subscription, param: "subscription" });
  const item: Omit<Stripe.InvoiceItem, "lastResponse"> = {
    id: newId("ii_"),
    object: "invoiceitem",
    amount,
    currency: price?.currency ?? requiredCurrency(form),
    customer,
    date: at,
    description: text(form, "description") || null,
    discountable: flag(form, "discountable") ?? true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: changedMetadata({}, form),
    period: { start: at, end: at },
    plan: null,
    price,
    proration: false,
    quantity,
    subscription,
    tax_rates: [],
    test_clock: null,
    unit_amount: each,
    unit_amount_decimal: String(each),
  };
  const made = save(sim, "invoiceitem", item as Stripe.InvoiceItem);
  emit(sim, "invoiceitem.created", made);
  return made;
}

/** Amount of an item: price times quantity, or a given amount. */
function computeAmounts(form: Form, price: Stripe.Price | null) {
  const quantity = integer(form, "quantity") ?? 1;
  const unit = price ? price.unit_amount : integer(form, "unit_amount");
  const amount = integer(form, "amount") ?? (unit ?? 0) * quantity;
  return { quantity, each: unit ?? amount, amount };
}

/** Assigns a customer's unbilled items to an invoice; items of a subscription only to one of its own. */
export function takeItems(
  sim: Simulator,
  { id, subscription: of, customer }: Stripe.Invoice,
): Stripe.InvoiceItem[] {
  return all(sim, "invoiceitem", idOrNull(customer))
    .filter(({ invoice, subscription }) => invoice === null && (subscription === null || subscription === of))
    .map((item) => save(sim, "invoiceitem", { ...item, invoice: id }))
    .reverse();
}
