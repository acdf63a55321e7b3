import type { Audited } from "#features/audit/index.ts";
import { setSessionRealm, type Session } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Company } from "#features/companies/rules.ts";

/** Makes a company the session's default, for calls that name none. */
export async function switchCompany(
  ctx: Ctx & Audited,
  session: Session,
  { realmId }: Company,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await setSessionRealm(tx, { idHash: session.idHash, userId: session.user.id }, realmId);
    await ctx.audit(tx, { action: "companies.switch", before: { company: session.realmId } });
  });
}
