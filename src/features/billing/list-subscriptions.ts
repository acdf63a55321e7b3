import { isCompanyAdmin, listGrants, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import { buildRow } from "#features/billing/build-row.ts";
import type { SubscriptionRow } from "#features/billing/contract.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { MIRROR_FRESH_MS, UNPAID_FRESH_MS } from "#features/billing/limits.ts";
import { listOffers } from "#features/billing/refresh-prices.ts";
import { pickCurrent } from "#features/billing/rules.ts";
import { findAccount, findPayer, listTrials } from "#features/billing/store-accounts.ts";
import { listMirrors } from "#features/billing/store.ts";
import { syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Mirror, Price } from "#features/billing/tables.ts";

const ENDED = new Set(["canceled", "incomplete_expired"]);
/** A service without a subscription: it can be added at any price. */
const NOT_HELD = new Set(["none", "incomplete", ...ENDED]);

/**
 * Lists the services that a company can pay for, each with the subscription that matters. Payments that changed a moment ago show. Others
 * than its admin learn only whether they pay.
 */
export async function listSubscriptions(ctx: PaidCtx, company: Company, user: User) {
  if (!isCompanyAdmin(company, user.id)) {
    const isPayer = (await findPayer(ctx.db, company.realmId)) === user.id;
    return { subscriptions: [], payer: isPayer ? user.email : null, is_payer: isPayer };
  }
  const [offers, account] = await Promise.all([listOffers(ctx), findAccount(ctx.db, company.realmId)]);
  await refreshMirrors(ctx, company.realmId);
  const rows = await readRows(ctx, company.realmId, {
    offers,
    grants: await listGrants(ctx.db, company.realmId, ctx.clock.now()),
  });
  const held = new Set(rows.flatMap(({ service, status }) => (NOT_HELD.has(status) ? [] : [service])));
  return {
    // Beside what a company has of a service, its other prices would add nothing.
    subscriptions: rows.filter(({ service, status }) => !held.has(service) || !NOT_HELD.has(status)),
    payer: account?.email ?? null,
    is_payer: !account || account.payer_id === null || account.payer_id === user.id,
  };
}

/** The row of one price with its subscription, whatever was granted besides. */
export async function readRow(ctx: PaidCtx, realmId: string, price: Price): Promise<SubscriptionRow> {
  const [row] = await readRows(ctx, realmId, { offers: [price], grants: [] });
  if (!row) throw new Error(`The price ${price.id} has no row.`);
  return row;
}

type Facts = { offers: readonly Price[]; grants: Awaited<ReturnType<typeof listGrants>> };

async function readRows(
  ctx: PaidCtx,
  realmId: string,
  { offers, grants }: Facts,
): Promise<SubscriptionRow[]> {
  const [mirrors, trials, account] = await Promise.all([
    listMirrors(ctx.db, realmId),
    listTrials(ctx.db, realmId),
    findAccount(ctx.db, realmId),
  ]);
  return offers.flatMap((price) => {
    const mine = mirrors.filter(({ price_id: priceId }) => priceId === price.id);
    const mirror = pickCurrent(mine);
    // One that is no longer sold is only shown to who has it.
    if (!price.is_active && NOT_HELD.has(mirror?.status ?? "none")) return [];
    const hadTrial = trials.some(({ service }) => service === price.service);
    return buildRow({
      price,
      mirror,
      granted: grants.find(({ service }) => service === price.service),
      trialDays: hadTrial ? 0 : ctx.terms.trialDays,
      graceDays: ctx.terms.graceDays,
      now: ctx.clock.now(),
      isTheirs: mirror?.account_id === account?.id,
    });
  });
}

/** Reads again what may have changed; what is recorded does when Stripe does not answer. */
async function refreshMirrors(ctx: PaidCtx, realmId: string): Promise<void> {
  const now = ctx.clock.now().getTime();
  const isOld = ({ fetched_at: fetchedAt, status }: Mirror) =>
    now - fetchedAt.getTime() > (status === "incomplete" ? UNPAID_FRESH_MS : MIRROR_FRESH_MS);
  const old = (await listMirrors(ctx.db, realmId)).filter((each) => !ENDED.has(each.status) && isOld(each));
  const tries = await Promise.allSettled(old.map(({ id }) => syncSubscription(ctx, id, "list")));
  for (const tried of tries)
    if (tried.status === "rejected")
      ctx.log.warn({ err: tried.reason as unknown }, "A subscription could not be read again");
}
