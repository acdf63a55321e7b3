import type { Audited } from "#features/audit/index.ts";
import { findCompany } from "#features/companies/store.ts";
import * as store from "#features/companies/support/store.ts";
import type { SupportGrant } from "#features/companies/support/contract.ts";
import type { Ctx } from "#platform/ctx.ts";
import { forbidden, notFound } from "#platform/errors.ts";
import { DAY_MS } from "#platform/time.ts";

/** A day: long enough to help, and short enough that a forgotten grant does not matter. */
const GRANT_MS = DAY_MS;

type GrantRequest = { realmId: string; userId: string; reason: string };

/** Opens the files of a company to an operator. @returns when that ends by itself @throws AppError 404 for an unknown company */
export async function askForGrant(
  ctx: Ctx & Audited,
  { realmId, userId, reason }: GrantRequest,
): Promise<{ endsAt: Date }> {
  const now = ctx.clock.now();
  const endsAt = new Date(now.getTime() + GRANT_MS);
  const id = ctx.ids.uuid();
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await findCompany(tx, realmId))) throw notFound("There is no company with this ID.");
    await store.addGrant(tx, { realmId, id, userId, reason, now, endsAt });
    await ctx.audit(tx, {
      action: "support.ask",
      ids: { grant: id },
      after: { reason, ends_at: endsAt.toISOString() },
    });
  });
  return { endsAt };
}

/** Lists the grants of a company that have not ended, newest first. */
export async function listGrants({ db, clock }: Ctx, realmId: string): Promise<SupportGrant[]> {
  const grants = await store.findActiveGrants(db, realmId, clock.now());
  return grants.map(({ id, email, reason, startedAt, endsAt }) => ({
    id,
    operator: email,
    reason,
    started_at: startedAt.toISOString(),
    ends_at: endsAt.toISOString(),
  }));
}

/** Ends a grant at once; again is harmless. @throws AppError 404 for a grant of another company */
export async function endGrant(ctx: Ctx & Audited, realmId: string, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const ended = await store.endGrant(tx, realmId, { id, now: ctx.clock.now() });
    if (!ended) throw notFound("This access has ended, or never existed. Reload the page.");
    if (ended.wasActive)
      await ctx.audit(tx, { action: "support.end", ids: { grant: id }, before: { operator: ended.email } });
  });
}

/** @returns when the operator's access ends @throws AppError 403 unless the operator has a grant of the company that has not ended */
export async function requireGrant(
  { db, clock }: Ctx,
  { realmId, userId }: { realmId: string; userId: string },
): Promise<Date> {
  const grants = await store.findActiveGrants(db, realmId, clock.now());
  const own = grants.filter((grant) => grant.userId === userId).map(({ endsAt }) => endsAt.getTime());
  if (own.length > 0) return new Date(Math.max(...own));
  throw forbidden(
    "support_grant_needed",
    "First open this company's files for 24 hours, on the Companies page. The company's admin can see and end that.",
  );
}
