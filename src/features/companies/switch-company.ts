import type { Audited } from "#features/audit/index.ts";
import { setSessionRealm, type Session } from "#features/identity/index.ts";
import type { AllCtx } from "#features/companies/across-cells.ts";
import type { Company } from "#features/companies/rules.ts";

/** Makes a company the session's default, for calls that name none. */
export async function switchCompany(
  ctx: AllCtx & Audited,
  session: Session,
  { realmId }: Company,
): Promise<void> {
  // The session may be in another database than the company's trail.
  await ctx.home.db
    .transaction()
    .execute((tx) => setSessionRealm(tx, { idHash: session.idHash, userId: session.user.id }, realmId));
  await ctx.db.transaction().execute(async (tx) => {
    await ctx.audit(tx, { action: "companies.switch", before: { company: session.realmId } });
  });
}
