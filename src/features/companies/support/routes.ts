import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import * as contract from "#features/companies/support/contract.ts";
import { askForGrant, endGrant, listGrants } from "#features/companies/support/grants.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

/** Grants for operators: asked for by them, seen and ended by the company's admin. */
export function supportRoutes(mount: Mount<Caller>, ctx: Ctx): void {
  mount(contract.listGrants, async (_input, call) => ({
    grants: await listGrants(ctx, currentCompany(call).realmId),
  }));

  mount(contract.endGrant, ({ query }, call) =>
    endGrant(withAudit(ctx, call), currentCompany(call).realmId, query.grant_id),
  );

  mount(contract.askForGrant, async ({ body: { realm_id: realmId, reason } }, call) => {
    const userId = currentUser(call).id;
    const { endsAt } = await askForGrant(withAudit(ctx, call, realmId), { realmId, userId, reason });
    return { ends_at: endsAt.toISOString() };
  });
}
