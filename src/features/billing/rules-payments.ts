import type { SubscriptionView } from "#integrations/stripe/client.ts";

/** Result of a click on Add. */
export type Step =
  /** The payment that is open is made with this secret. */
  | { kind: "pay"; secret: string }
  /** A subscription is made: there is none, or it has ended. */
  | { kind: "begin" }
  /** The unpaid subscription is ended: another one or another user is to pay now, or it can't be paid any more. */
  | { kind: "give_up" }
  /** Its planned end is taken back. */
  | { kind: "keep" }
  | { kind: "is_paid" }
  /** Only the billing portal leads on. */
  | { kind: "use_portal" }
  /** The former payer has paid for these days. */
  | { kind: "other_paid" };

type Wanted = { customerId: string; priceId: string; isTrial: boolean };

/** Decides from what Stripe has of a service now. Of two subscriptions of it there is never a reason to pay both. */
export function decideStep(known: SubscriptionView | null, wanted: Wanted): Step {
  if (!known || isEnded(known)) return { kind: "begin" };
  const { status, endsAt } = known;
  if (known.customerId !== wanted.customerId)
    return { kind: NOT_PAID.has(status) && !isMade(known.invoice) ? "give_up" : "other_paid" };
  if (status === "active" || status === "trialing") return { kind: endsAt ? "keep" : "is_paid" };
  return NOT_PAID.has(status) ? decideUnpaid(known, wanted) : { kind: "use_portal" };
}

const NOT_PAID = new Set(["incomplete", "past_due", "unpaid"]);

function decideUnpaid({ status, priceId, invoice }: SubscriptionView, wanted: Wanted): Step {
  if (isMade(invoice)) return { kind: "is_paid" };
  const secret = invoice?.status === "open" ? invoice.intent?.clientSecret : undefined;
  const isFirst = status === "incomplete";
  const isWanted = !isFirst || (priceId === wanted.priceId && !wanted.isTrial);
  if (secret !== undefined && isWanted) return { kind: "pay", secret };
  return { kind: isFirst ? "give_up" : "use_portal" };
}

/** The subscription may be some seconds behind its payment. */
const isMade = (invoice: SubscriptionView["invoice"]): boolean =>
  invoice?.status === "paid" || invoice?.intent?.status === "succeeded";

export const isEnded = ({ status }: Pick<SubscriptionView, "status">): boolean =>
  status === "canceled" || status === "incomplete_expired";
