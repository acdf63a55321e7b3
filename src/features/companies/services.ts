import type { Audited } from "#features/audit/index.ts";
import type { ServiceChange, Service } from "#features/companies/contract.ts";
import { findCompany } from "#features/companies/store.ts";
import { lockGrant, saveService, hasService } from "#features/companies/store-services.ts";
import type { Ctx } from "#platform/ctx.ts";
import { badRequest, notFound, AppError } from "#platform/errors.ts";

/**
 * Grants a service to a company without payment, or ends a grant. Subscriptions are not changed.
 * @throws AppError 404 for an unknown company, 400 for an end in the past
 */
export async function changeService(ctx: Ctx & Audited, change: ServiceChange): Promise<void> {
  const { realm_id: realmId, service, state, reason } = change;
  const now = ctx.clock.now();
  const until = change.until === null ? null : new Date(change.until);
  if (state === "active" && until !== null && until <= now)
    throw badRequest("end_has_passed", "That end date has passed. Choose a later one, or end the service.");
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await findCompany(tx, realmId))) throw notFound("There is no company with this ID.");
    const was = await lockGrant(tx, realmId, service);
    await saveService(tx, {
      realm_id: realmId,
      service,
      state,
      until,
      source: "granted",
      reason,
      changed_at: now,
      is_unpaid: false,
    });
    await ctx.audit(tx, {
      action: "companies.change_service",
      before: { service, state: was?.state ?? null },
      after: { service, state, until: change.until, reason },
    });
  });
}

/**
 * Requires an active service. Reads one row and does not call the payment provider.
 * @throws AppError 402 if the service is neither paid nor granted
 */
export async function requireService(ctx: Ctx, realmId: string, service: Service): Promise<void> {
  if (await hasService(ctx.db, { realmId, service, now: ctx.clock.now() })) return;
  throw new AppError({
    status: 402,
    code: "service_not_active",
    detail: "This needs a service that the company doesn't have. Its admin can add it in Settings.",
  });
}
