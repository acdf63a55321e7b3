import type { Account, StoredSubscription } from "#features/billing/tables.ts";
import { DAY_MS } from "#platform/time.ts";

/** Facts of a subscription that decide about its service. */
export type SubscriptionFacts = Pick<
  StoredSubscription,
  "id" | "status" | "period_end" | "ends_at" | "trial_end" | "ended_at" | "unpaid_since"
>;

/** Whether a user pays with an account; one whose payer is gone is any caller's. */
export const isOwnAccount = ({ payer_id: payerId }: Account, userId: string): boolean =>
  payerId === null || payerId === userId;

/** On until a time, null for no end; or off. The reason is for operators. */
export type Entitlement =
  | { state: "active"; until: Date | null; reason: string }
  | { state: "ended"; until: null; reason: string };

const KNOWN_OFF = new Set(["incomplete", "incomplete_expired", "unpaid", "paused", "canceled"]);

/**
 * Whether the status is unknown to this table: then the service is off and the status is reported.
 */
export const isUnknownStatus = (status: string): boolean =>
  !KNOWN_OFF.has(status) && !["active", "trialing", "past_due"].includes(status);

/**
 * Decides whether one subscription keeps its service on, and until when at most. A paid one that
 * renews has no end: no payer is locked out when Stripe sends no events.
 * @param graceDays days a service stays on after an unpaid renewal
 */
function decideOne(subscription: SubscriptionFacts, graceDays: number): Entitlement {
  const { status, id } = subscription;
  const reason = `Subscription ${id} is ${status}`;
  if (status === "active") return { state: "active", until: subscription.ends_at, reason };
  if (status === "trialing") return { state: "active", until: trialEnd(subscription), reason };
  if (status === "past_due") return { state: "active", until: graceEnd(subscription, graceDays), reason };
  return { state: "ended", until: null, reason };
}

/** A trial ends by itself at Stripe; one more day covers the delay until we learn of it. */
function trialEnd({ ends_at: endsAt, trial_end: trialEnd, period_end: periodEnd }: SubscriptionFacts): Date {
  return endsAt ?? new Date((trialEnd ?? periodEnd).getTime() + DAY_MS);
}

/** End of grace: counted from the unpaid renewal, never beyond a scheduled end. */
export function graceEnd(subscription: SubscriptionFacts, graceDays: number): Date {
  const since = subscription.unpaid_since ?? subscription.period_end;
  const end = since.getTime() + graceDays * DAY_MS;
  return new Date(Math.min(end, subscription.ends_at?.getTime() ?? Infinity));
}

/**
 * Decides about one service from all its subscriptions of a company: on if any of them keeps it on.
 */
export function decideEntitlement(
  subscriptions: readonly SubscriptionFacts[],
  { now, graceDays }: { now: Date; graceDays: number },
): Entitlement {
  const decided = subscriptions.map((each) => decideOne(each, graceDays));
  const on = decided.filter(({ state, until }) => state === "active" && (until === null || until > now));
  if (on.length === 0)
    return { state: "ended", until: null, reason: decided.at(0)?.reason ?? "There is no subscription" };
  const endMs = ({ until }: Entitlement) => until?.getTime() ?? Infinity;
  return on.reduce((best, each) => (endMs(each) > endMs(best) ? each : best));
}

/**
 * Picks the current subscription: a live one before an ended one, an ended one before one that was
 * never paid, then the newest.
 */
export function currentSubscription<T extends Pick<StoredSubscription, "status" | "created_at">>(
  subscriptions: readonly T[],
): T | undefined {
  return [...subscriptions].sort(
    (a, b) => rank(a.status) - rank(b.status) || b.created_at.getTime() - a.created_at.getTime(),
  )[0];
}

/** Subscriptions that charge or may charge again; the one to keep first, then the oldest. */
export const liveSubscriptions = <T extends Pick<StoredSubscription, "status" | "created_at">>(
  subscriptions: readonly T[],
): T[] =>
  subscriptions
    .filter(({ status }) => rank(status) < rank("incomplete"))
    .sort((a, b) => rank(a.status) - rank(b.status) || a.created_at.getTime() - b.created_at.getTime());

const RANKS = ["active", "trialing", "past_due", "unpaid", "paused", "incomplete", "canceled"];
const rank = (status: string) => (RANKS.includes(status) ? RANKS.indexOf(status) : RANKS.length);

/** Status shown on the page. */
export const shownStatus = ({ status, ends_at: endsAt }: SubscriptionFacts): string =>
  endsAt && ["active", "trialing"].includes(status) ? "canceling" : status;

/** Date that belongs to the status. */
export function shownEnd(subscription: SubscriptionFacts): Date | null {
  if (subscription.ended_at) return subscription.ended_at;
  if (subscription.ends_at) return subscription.ends_at;
  return subscription.status === "trialing" ? subscription.trial_end : subscription.period_end;
}

export const toSeconds = (date: Date | null): number | null =>
  date === null ? null : Math.floor(date.getTime() / 1000);
