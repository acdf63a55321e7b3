import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { holdPayments, planAllEnds } from "#features/billing/plan-ends.ts";
import { addAccount, endAccount, findAccount } from "#features/billing/store-accounts.ts";

/**
 * Makes a company's admin the one who pays for it. The former payer is charged no more: their subscriptions end when
 * what they paid is used up. Doing it again changes nothing.
 * @throws AppError 503 when Stripe does not answer: then nothing has changed
 */
export async function takeBilling(ctx: PaidCtx & Audited, company: Company, user: User): Promise<void> {
  // To the end: the present payer starts no payment between the planned ends and the change.
  await holdPayments(ctx, company.realmId, () => changePayer(ctx, company, user));
}

async function changePayer(ctx: PaidCtx & Audited, company: Company, user: User): Promise<void> {
  const before = await findAccount(ctx.db, company.realmId);
  if (!before || before.payer_id === user.id) return;
  await planAllEnds(ctx, company.realmId);
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    await endAccount(tx, before, now);
    await addAccount(tx, {
      realm_id: company.realmId,
      id: ctx.ids.uuid(),
      payer_id: user.id,
      email: user.email,
      customer_id: null,
      created_at: now,
      ended_at: null,
    });
    await ctx.notify(tx, {
      kind: "payer_changed",
      realmId: company.realmId,
      recipient: before.email,
      params: { company: company.name, by: user.email },
    });
    await ctx.audit(tx, {
      action: "billing.take_over",
      before: { payer: before.email },
      after: { payer: user.email },
    });
  });
}
