import { findGraceEnd, type State } from "#features/billing/rules.ts";
import type { Mirror } from "#features/billing/tables.ts";

/** Stripe's own reminder comes as long before. */
const REMIND_BEFORE_MS = 3 * 24 * 3_600_000;

type Known = Pick<Mirror, "status"> | undefined;
type Facts = {
  /** The subscription as it was recorded before. */
  before: Known;
  after: State;
  wasOn: boolean;
  isOn: boolean;
  isReminded: boolean;
  now: Date;
  graceDays: number;
};

export type Notice =
  | { kind: "renewal_failed"; until: Date }
  | { kind: "trial_ends"; at: Date }
  | { kind: "service_off"; cause: "unpaid" | "trial" };

/**
 * Chooses the notice of a change for the payer, once each: a renewal that failed, a trial that ends soon, a service that went
 * off without their having planned it.
 */
export function chooseNotice(facts: Facts): Notice | null {
  const { before, after, wasOn, isOn, graceDays } = facts;
  if (wasOn && !isOn) return offNotice(before, after);
  if (after.status === "past_due" && before?.status !== "past_due" && isOn)
    return { kind: "renewal_failed", until: findGraceEnd(after, graceDays) };
  return trialNotice(facts);
}

function trialNotice({ after, isReminded, now }: Facts): Notice | null {
  const { status, trial_end: at, ends_at: endsAt } = after;
  // An end by plan was their own.
  if (isReminded || status !== "trialing" || endsAt !== null || at === null || at <= now) return null;
  return at.getTime() - now.getTime() <= REMIND_BEFORE_MS ? { kind: "trial_ends", at } : null;
}

function offNotice(before: Known, { ends_at: endsAt }: State): Notice | null {
  // An end by plan was their own.
  if (endsAt !== null) return null;
  return { kind: "service_off", cause: before?.status === "trialing" ? "trial" : "unpaid" };
}
