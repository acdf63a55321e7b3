import type { Audited } from "#features/audit/index.ts";
import type { User } from "#features/identity/index.ts";
import { conflict } from "#platform/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import type { Company } from "#features/companies/rules.ts";
import { findMembership, lockCompany } from "#features/companies/store.ts";
import { countMembers, removeMember } from "#features/companies/store-members.ts";

/**
 * Ends the caller's own membership. Their uploads continue for the company.
 * @throws AppError 409 for the admin, the payer and the only user
 */
export async function leaveCompany(
  ctx: Pick<ConnectCtx, "db" | "findRenewingPayer"> & Audited,
  { realmId }: Company,
  user: User,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const { adminId } = await lockCompany(tx, realmId);
    if (!(await findMembership(tx, realmId, user.id))) return;
    if (adminId === user.id)
      throw conflict(
        "is_company_admin",
        "You're the company admin. Make another user the admin before you leave.",
      );
    if ((await ctx.findRenewingPayer(tx, realmId)) === user.id)
      throw conflict(
        "pays_for_company",
        "You pay for this company's services. Cancel them before you leave.",
      );
    if ((await countMembers(tx, realmId)) === 1)
      throw conflict("only_user", "You're the only user of this company. Disconnect it instead.");
    await removeMember(tx, realmId, user.id);
    await ctx.audit(tx, { action: "companies.leave", before: { email: user.email } });
  });
}
