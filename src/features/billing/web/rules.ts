import type { SubscriptionRow } from "#features/billing/contract.ts";
import { formatDollars } from "#web/kit/format.ts";
import { serviceWords as words } from "#features/billing/web/words.ts";

const SUBSCRIBED: ReadonlySet<string> = new Set(["active", "trialing", "canceling"]);
const UNPAID: ReadonlySet<string> = new Set(["past_due", "unpaid"]);

/** Action of a row's button: opens the portal, starts a payment, pays what is owed; null for no button. */
export type RowAction = "manage" | "add" | "fix" | null;

export function chooseAction({ status, subscription_id: id }: SubscriptionRow): RowAction {
  if (SUBSCRIBED.has(status)) return id === null || id === "" ? null : "manage";
  return UNPAID.has(status) ? "fix" : "add";
}

/** A status in words; of one that has none yet, null. */
export function statusWord(status: string): string | null {
  if (status === "none") return null;
  const plain = status.replaceAll("_", " ");
  return words.statuses[status] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The date of a row, with what it means. */
export function dateWord({
  status,
  end_date: at,
  subscription_id: id,
  rate,
}: SubscriptionRow): string | null {
  if (at === null) return null;
  if (status === "trialing") return words.trialEnds(at);
  // A grant ends then; nothing renews it.
  if (status === "canceling" || (status === "active" && id === null)) return words.ends(at);
  return status === "active" ? words.renews(at, formatDollars(rate)) : null;
}
