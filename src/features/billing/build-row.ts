import type { SubscriptionRow } from "#features/billing/contract.ts";
import { findGraceEnd, shownEnd, shownStatus, toSeconds } from "#features/billing/rules.ts";
import type { Mirror, Price } from "#features/billing/tables.ts";

type Facts = {
  price: Price;
  mirror: Mirror | undefined;
  /** The service is on without being paid for, until then. */
  granted: { until: Date | null } | undefined;
  trialDays: number;
  graceDays: number;
  now: Date;
  /** Who pays now also pays this one, and so can manage it. */
  isTheirs: boolean;
};

/** A service as Settings shows it. */
export function buildRow({
  price,
  mirror,
  granted,
  trialDays,
  graceDays,
  now,
  isTheirs,
}: Facts): SubscriptionRow {
  const offer = {
    price_id: price.id,
    product_name: price.product_name,
    product_description: price.product_description,
    rate: price.cents,
    interval: price.interval,
    service: price.service,
  };
  const isOn = mirror && ["active", "trialing", "past_due"].includes(mirror.status);
  if (granted && !isOn)
    return {
      ...offer,
      subscription_id: null,
      status: "active",
      end_date: toSeconds(granted.until),
      grace_ends: null,
      trial_days: 0,
    };
  if (!mirror)
    return {
      ...offer,
      subscription_id: null,
      status: "none",
      end_date: null,
      grace_ends: null,
      trial_days: trialDays,
    };
  const graceEnd = mirror.status === "past_due" ? findGraceEnd(mirror, graceDays) : null;
  return {
    ...offer,
    subscription_id: isTheirs ? mirror.id : null,
    status: shownStatus(mirror),
    end_date: toSeconds(shownEnd(mirror)),
    grace_ends: graceEnd && graceEnd > now ? toSeconds(graceEnd) : null,
    trial_days: isOn ? 0 : trialDays,
  };
}
