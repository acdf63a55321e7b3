import type Stripe from "stripe";
import { newId } from "./store.ts";

type Facts = {
  id: string;
  created: number;
  customer: string;
  currency: string;
  items: Stripe.SubscriptionItem[];
  period: { start: number; end: number };
  trialEnd: number | null;
  clock: string | null;
  metadata: Stripe.Metadata;
};

/** Creates a subscription before its first payment, with every field of version 2023-10-16. */
export function blankSubscription(facts: Facts): Stripe.Subscription {
  const { id, created, customer, currency, items, period, trialEnd, clock, metadata } = facts;
  const subscription: Omit<Stripe.Subscription, "lastResponse"> = {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? created,
    billing_cycle_anchor_config: null,
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: "charge_automatically",
    created,
    currency,
    current_period_end: period.end,
    current_period_start: period.start,
    customer,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discount: null,
    discounts: [],
    ended_at: null,
    items: {
      object: "list",
      data: items,
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: "incomplete",
    test_clock: clock,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
    trial_start: trialEnd === null ? null : created,
  };
  return subscription as Stripe.Subscription;
}

export function newItem(
  subscriptionId: string,
  { price, quantity, created }: { price: Stripe.Price; quantity: number; created: number },
): Stripe.SubscriptionItem {
  const item: Partial<Stripe.SubscriptionItem> & { id: string } = {
    id: newId("si_", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created,
    metadata: {},
    price,
    quantity,
    subscription: subscriptionId,
    tax_rates: [],
  };
  return item as Stripe.SubscriptionItem;
}
