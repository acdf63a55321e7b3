import type { SubscriptionRow } from "#features/billing/contract.ts";
import { formatDollars } from "#web/kit/format.ts";
import { serviceWords as words } from "#features/billing/web/words.ts";

const SUBSCRIBED: ReadonlySet<string> = new Set(["active", "trialing", "canceling"]);
const UNPAID: ReadonlySet<string> = new Set(["past_due", "unpaid"]);

/** Buttons of a row: "manage" opens the portal, "add" starts a payment, "fix" pays what is owed. */
export type RowAction = "manage" | "add" | "fix";

export function chooseActions(row: SubscriptionRow): RowAction[] {
  const { status, subscription_id: id } = row;
  if (SUBSCRIBED.has(status)) return id === null || id === "" ? [] : ["manage"];
  if (UNPAID.has(status)) return ["add", "fix"];
  return isComingSoon(row) ? [] : ["add"];
}

/** Whether a service isn't sold yet; a company that already has it, or owes for it, keeps it. */
export const isComingSoon = ({ status, is_for_sale: isForSale }: SubscriptionRow): boolean =>
  !isForSale && !SUBSCRIBED.has(status) && !UNPAID.has(status);

/** Status in words; null if there is nothing to say. */
export function statusWord(status: string): string | null {
  // A payment form that was opened and left isn't a state of the service.
  if (status === "none" || status === "incomplete") return null;
  const plain = status.replaceAll("_", " ");
  return words.statuses[status] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Date of a row with its meaning. */
export function dateWord({
  status,
  end_date: at,
  subscription_id: id,
  rate,
}: SubscriptionRow): string | null {
  if (at === null) return null;
  if (status === "trialing") return words.trialEnds(at);
  // A grant ends on that date; nothing renews it.
  if (status === "canceling" || (status === "active" && id === null)) return words.ends(at);
  return status === "active" ? words.renews(at, formatDollars(rate)) : null;
}
