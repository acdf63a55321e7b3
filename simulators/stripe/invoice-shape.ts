import type Stripe from "stripe";

type Facts = {
  id: string;
  created: number;
  customer: string;
  email: string | null;
  name: string | null;
  currency: string;
  subscription: string | null;
  metadata: Stripe.Metadata | null;
  reason: Stripe.Invoice.BillingReason;
  clock: string | null;
};

/** Fields that are the same in every new invoice. */
const UNSET: Omit<Stripe.Invoice, OwnField | "lastResponse"> = {
  object: "invoice",
  account_country: "US",
  account_name: "Simulated account",
  account_tax_ids: null,
  amount_due: 0,
  amount_paid: 0,
  amount_remaining: 0,
  amount_shipping: 0,
  application: null,
  application_fee_amount: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: { enabled: false, liability: null, status: null },
  charge: null,
  collection_method: "charge_automatically",
  custom_fields: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: "none",
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discount: null,
  discounts: [],
  due_date: null,
  effective_at: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: "self" },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  paid: false,
  paid_out_of_band: false,
  payment_intent: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  quote: null,
  receipt_number: null,
  rendering: null,
  rendering_options: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status: "draft",
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  subtotal: 0,
  subtotal_excluding_tax: 0,
  tax: null,
  total: 0,
  total_discount_amounts: [],
  total_excluding_tax: 0,
  total_tax_amounts: [],
  transfer_data: null,
  webhooks_delivered_at: null,
};

type OwnField =
  | "id"
  | "billing_reason"
  | "created"
  | "currency"
  | "customer"
  | "customer_email"
  | "customer_name"
  | "lines"
  | "period_end"
  | "period_start"
  | "subscription"
  | "subscription_details"
  | "test_clock";

/** Creates a draft without lines, with every field of version 2023-10-16. */
export function blankInvoice(facts: Facts): Stripe.Invoice {
  const { id, created, customer, email, name, currency, subscription, metadata, reason, clock } = facts;
  const own = {
    id,
    billing_reason: reason,
    created,
    currency,
    customer,
    customer_email: email,
    customer_name: name,
    lines: { object: "list", data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    period_end: created,
    period_start: created,
    subscription,
    subscription_details: { metadata },
    test_clock: clock,
  };
  return { ...UNSET, ...own } as Stripe.Invoice;
}
