import { findTimeZone, type Company } from "#features/companies/index.ts";
import type { Notifying } from "#features/notices/index.ts";
import { graceEnd, type SubscriptionFacts } from "#features/billing/rules.ts";
import { priceText } from "#features/billing/sentences.ts";
import { findPrice } from "#features/billing/store.ts";
import type { Account, StoredSubscription } from "#features/billing/tables.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import { DAY_MS } from "#platform/time.ts";

/** Same lead time as Stripe's own reminder. */
const REMIND_BEFORE_MS = 3 * DAY_MS;

type Facts = {
  /** The previously recorded subscription. */
  before: Pick<StoredSubscription, "status" | "unpaid_since"> | undefined;
  after: SubscriptionFacts;
  wasOn: boolean;
  isOn: boolean;
  isReminded: boolean;
  now: Date;
  graceDays: number;
};

type Notice =
  | { kind: "renewal_failed"; until: Date }
  | { kind: "trial_ends"; at: Date }
  | { kind: "service_off"; cause: "unpaid" | "trial" | "canceled" };

/**
 * Chooses the notice for the payer after a change, each sent once: a failed renewal, a trial that
 * ends soon, or a service that went off without a scheduled end.
 */
export function chooseNotice(facts: Facts): Notice | null {
  const { before, after, wasOn, isOn, isReminded, now, graceDays } = facts;
  const { status, trial_end: at, ends_at: endsAt } = after;
  // The payer knows of a scheduled end.
  if (wasOn && !isOn) return endsAt === null ? { kind: "service_off", cause: findCause(facts) } : null;
  if (status === "past_due" && before?.status !== "past_due" && isOn)
    return { kind: "renewal_failed", until: graceEnd(after, graceDays) };
  if (isReminded || status !== "trialing" || endsAt !== null || at === null || at <= now) return null;
  return at.getTime() - now.getTime() <= REMIND_BEFORE_MS ? { kind: "trial_ends", at } : null;
}

function findCause({ before, after }: Facts): "unpaid" | "trial" | "canceled" {
  if (before?.status === "trialing") return "trial";
  return (after.unpaid_since ?? before?.unpaid_since ?? null) === null ? "canceled" : "unpaid";
}

type Change = { company: Company; account: Account; stored: StoredSubscription; notice: Notice };

/** Mails the payer, and the company's admin if that is another user. */
export async function notifyPayer(
  ctx: Notifying,
  tx: Db,
  { company, account, stored, notice }: Change,
): Promise<void> {
  const price = await findPrice(tx, stored.price_id);
  const params = {
    company: company.name,
    service: price?.product_name ?? stored.service,
    price: price ? priceText(price) : null,
    payer: company.adminEmail === null || company.adminEmail === account.email ? null : account.email,
  };
  const toDay = dayIn(await findTimeZone(tx, company.realmId));
  const facts = noticeFacts(notice, params, toDay);
  const recipients = new Set([account.email, company.adminEmail ?? account.email]);
  for (const recipient of recipients) await ctx.notify(tx, { realmId: company.realmId, recipient, ...facts });
}

type Params = { company: string; service: string; price: string | null; payer: string | null };

function noticeFacts(notice: Notice, params: Params, toDay: (at: Date) => string) {
  switch (notice.kind) {
    case "renewal_failed":
      return { kind: notice.kind, params: { ...params, day: toDay(notice.until) } };
    case "trial_ends":
      return { kind: notice.kind, params: { ...params, day: toDay(notice.at) } };
    case "service_off":
      return { kind: notice.kind, params: { ...params, cause: notice.cause } };
  }
}
