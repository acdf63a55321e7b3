import type { SubscriptionView } from "#integrations/stripe/client.ts";

/** Next step of a payment after a click on Add. */
export type Step =
  /** Pay the open payment with this secret. */
  | { kind: "pay"; secret: string }
  /** Create a subscription: there is none, or it has ended. */
  | { kind: "create" }
  /**
   * Cancel an unpaid subscription: the price or the payer changed, or it can't be paid any more.
   */
  | { kind: "cancel_unpaid" }
  /** Undo its scheduled end. */
  | { kind: "resume" }
  | { kind: "is_paid" }
  /** Only the billing portal can continue it. */
  | { kind: "use_portal" }
  /** The previous payer has paid for these days. */
  | { kind: "paid_by_other" };

type PaymentRequest = { customerId: string; priceId: string; isTrial: boolean };

/**
 * Decides the next step from the current subscription of a service at Stripe. Never leads to two
 * paid subscriptions of one service.
 */
export function nextPaymentStep(known: SubscriptionView | null, wanted: PaymentRequest): Step {
  if (!known || isEnded(known)) return { kind: "create" };
  const { status, endsAt } = known;
  if (known.customerId !== wanted.customerId)
    return { kind: NOT_PAID.has(status) && !isPaid(known.invoice) ? "cancel_unpaid" : "paid_by_other" };
  if (status === "active" || status === "trialing") return { kind: endsAt ? "resume" : "is_paid" };
  return NOT_PAID.has(status) ? decideUnpaid(known, wanted) : { kind: "use_portal" };
}

const NOT_PAID = new Set(["incomplete", "past_due", "unpaid"]);

function decideUnpaid({ status, priceId, invoice }: SubscriptionView, wanted: PaymentRequest): Step {
  if (isPaid(invoice)) return { kind: "is_paid" };
  const secret = invoice?.status === "open" ? invoice.intent?.clientSecret : undefined;
  const isFirst = status === "incomplete";
  const isWanted = !isFirst || (priceId === wanted.priceId && !wanted.isTrial);
  if (secret !== undefined && isWanted) return { kind: "pay", secret };
  // Once Stripe has given up, its further invoices stay drafts that can't be paid.
  return { kind: isFirst || status === "unpaid" ? "cancel_unpaid" : "use_portal" };
}

/** The subscription may lag some seconds behind its payment. */
const isPaid = (invoice: SubscriptionView["invoice"]): boolean =>
  invoice?.status === "paid" || invoice?.intent?.status === "succeeded";

export const isEnded = ({ status }: Pick<SubscriptionView, "status">): boolean =>
  status === "canceled" || status === "incomplete_expired";
