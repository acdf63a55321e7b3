import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { realmQuery, SERVICES } from "#features/companies/contract.ts";
import * as z from "zod";

/** A service offered to a company, with its subscription if any. */
export const subscription = z.object({
  /** Null without a subscription, and for a granted service. */
  subscription_id: z.string().nullable(),
  price_id: z.string(),
  product_name: z.string(),
  product_description: z.string(),
  /** Cents of a US dollar. */
  rate: z.int().min(0),
  /** `month`, or `3 months`. */
  interval: z.string(),
  service: z.enum(SERVICES),
  /** Stripe's status; `canceling` if the end is scheduled; `none` without a subscription. */
  status: z.string(),
  /** End, trial end or next renewal, in epoch seconds. */
  end_date: z.int().nullable(),
  /** Epoch seconds until which a service with an unpaid renewal stays on; null when it is off. */
  grace_ends: z.int().nullable(),
  /** False for a service that is coming soon and can't be added yet. */
  is_for_sale: z.boolean(),
  /** Days of free trial still available to this company; 0 for none. */
  trial_days: z.int().min(0),
});
export type SubscriptionRow = z.output<typeof subscription>;

const adminAccess = { kind: "member", admin: true } as const;
/** The payer need not be the company's admin and must be able to stop paying. */
const payerAccess = { kind: "member" } as const;

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/api/v1/stripe/subscriptions",
  summary: "Lists the services a company can pay for, with its subscriptions; empty for anyone but its admin",
  access: payerAccess,
  query: realmQuery,
  response: z.array(subscription),
});

export const readPayer = endpoint({
  method: "GET",
  path: "/api/v1/stripe/payer",
  summary: "Returns who pays for a company",
  access: adminAccess,
  query: realmQuery,
  response: z.object({
    /** The payer's e-mail; null if no user pays. */
    payer: z.string().nullable(),
    /** Whether the caller is the payer, or would be; only the payer sees cards and invoices. */
    is_payer: z.boolean(),
  }),
});

export const listPayments = endpoint({
  method: "GET",
  path: "/api/v1/stripe/payments",
  summary:
    "Lists the companies that the caller pays for although another user is their admin, or they are disconnected",
  access: { kind: "user" },
  response: z.array(z.object({ id: z.string(), name: z.string(), is_connected: z.boolean() })),
});

export const startPayment = endpoint({
  method: "POST",
  path: "/api/v1/stripe/payment-intent",
  summary: "Starts a payment for a service, or continues one that was started",
  access: adminAccess,
  query: realmQuery,
  // Pages send the whole row except the name; only the price is used, by its own id or by a subscription's.
  body: z
    .object({
      price_id: lineText().min(1).max(255).optional(),
      subscription_id: lineText().max(255).nullish(),
      /** Starts the free trial instead of paying. */
      trial: z.boolean().optional(),
    })
    .refine(({ price_id: price, subscription_id: id }) => price !== undefined || Boolean(id), {
      error: "Send the price or the subscription.",
    }),
  /** A null `client_secret` means that nothing is due now. */
  response: subscription.extend({ client_secret: z.string().nullable() }),
});
export type StartedPayment = z.output<typeof startPayment.response>;

export const activateSubscription = endpoint({
  method: "POST",
  path: "/api/v1/stripe/activate",
  summary: "Turns on a service once Stripe confirms that it's paid",
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
  summary: "Makes the caller the payer; the previous payer's subscriptions end with their paid period",
  access: adminAccess,
  query: realmQuery,
  response: z.object({}),
});

export const openPortal = endpoint({
  method: "GET",
  changes: true,
  path: "/api/v1/stripe/billing",
  summary:
    "Returns the address of the billing portal, where the payer manages cards, invoices, and cancellation",
  access: payerAccess,
  query: realmQuery.partial(),
  response: z.object({ redirect: z.url() }),
});
