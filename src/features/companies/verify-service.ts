import type { Service } from "#features/companies/contract.ts";
import { hasService } from "#features/companies/store-services.ts";
import type { Ctx } from "#platform/ctx.ts";
import { AppError } from "#platform/errors.ts";

/**
 * Lets a function of a paid service go on. It reads one row; the payment provider is not asked.
 * @throws AppError 402 when the company has neither paid for the service nor been granted it
 */
export async function requireService(ctx: Ctx, realmId: string, service: Service): Promise<void> {
  if (await hasService(ctx.db, { realmId, service, now: ctx.clock.now() })) return;
  throw new AppError({
    status: 402,
    code: "service_not_active",
    detail: "This company doesn't have the service that this belongs to. Its admin can add it in Settings.",
  });
}
