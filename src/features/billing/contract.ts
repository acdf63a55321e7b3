import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { realmQuery, SERVICES } from "#features/companies/contract.ts";
import * as z from "zod";

/** A service offered to a company, with its subscription where there is one. */
export const subscription = z.object({
  /** Null when there is none, and for a service that was granted. */
  subscription_id: z.string().nullable(),
  price_id: z.string(),
  product_name: z.string(),
  product_description: z.string(),
  /** Cents of a US dollar. */
  rate: z.int().min(0),
  /** `month`, or `3 months`. */
  interval: z.string(),
  service: z.enum(SERVICES),
  /** Stripe's own word; `canceling` for one that ends by plan; `none` without one. */
  status: z.string(),
  /** Epoch seconds of the end, the trial's end or the next renewal. */
  end_date: z.int().nullable(),
  /** Epoch seconds until which the service stays on though its renewal was not paid; null when it is off by that. */
  grace_ends: z.int().nullable(),
  /** False for a service that is coming soon: it can't be added yet. */
  is_for_sale: z.boolean(),
  /** Days of a free trial this company may still take; 0 for none. */
  trial_days: z.int().min(0),
});
export type SubscriptionRow = z.output<typeof subscription>;

const adminAccess = { kind: "member", admin: true } as const;
/** The payer need not be the company's admin, and must be able to stop. */
const payerAccess = { kind: "member" } as const;

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/api/v1/stripe/subscriptions",
  summary:
    "The services a company can pay for, with its subscriptions; to others than its admin, whether they pay",
  access: payerAccess,
  query: realmQuery,
  response: z.object({
    subscriptions: z.array(subscription),
    /** The payer's e-mail; null before the first payment. */
    payer: z.string().nullable(),
    /** Whether the caller is the payer, who alone sees cards and invoices. */
    is_payer: z.boolean(),
  }),
});

export const startPayment = endpoint({
  method: "POST",
  path: "/api/v1/stripe/payment-intent",
  summary: "Starts paying for a service, or continues a payment that was started",
  access: adminAccess,
  query: realmQuery,
  // A page sends all of its row but the name; of that, only which price it is of counts.
  body: z.object({
    price_id: lineText().min(1).max(255),
    subscription_id: lineText().max(255).nullish(),
    /** Starts the free trial instead. */
    trial: z.boolean().optional(),
  }),
  /** `paid` without a secret: there is nothing to pay now. */
  response: subscription.extend({ client_secret: z.string().nullable() }),
});
export type StartedPayment = z.output<typeof startPayment.response>;

export const activateSubscription = endpoint({
  method: "POST",
  path: "/api/v1/stripe/activate",
  summary: "Turns a service on when Stripe says that it is paid, whatever the caller says",
  access: adminAccess,
  query: realmQuery,
  body: z.object({
    subscription_id: lineText().min(1).max(255),
    status: lineText().max(255).optional(),
  }),
  response: subscription,
});

export const takeOverBilling = endpoint({
  method: "POST",
  path: "/api/v1/stripe/payer",
  summary:
    "Makes the caller the payer; subscriptions of the payer before end when they are used up, and their cards stay theirs",
  access: adminAccess,
  query: realmQuery,
  response: z.object({}),
});

export const openPortal = endpoint({
  method: "GET",
  path: "/api/v1/stripe/billing",
  summary: "The address of the billing portal, for the payer: cards, invoices and the end of subscriptions",
  access: payerAccess,
  query: realmQuery.partial(),
  response: z.object({ redirect: z.url() }),
});
