import { listKeys, makeKey, revokeKey } from "#features/programs/api-keys/change-keys.ts";
import * as contract from "#features/programs/api-keys/contract.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

/** A company's API keys, for its admin. */
export function apiKeyRoutes(mount: Mount<Caller>, ctx: Ctx): void {
  mount(contract.listKeys, async (_input, call) => ({ keys: await listKeys(ctx, currentCompany(call)) }));

  mount(contract.makeKey, ({ body }, call) =>
    makeKey(withAudit(ctx, call), {
      company: currentCompany(call),
      user: currentUser(call),
      ...body,
    }),
  );

  mount(contract.revokeKey, ({ query }, call) =>
    revokeKey(withAudit(ctx, call), currentCompany(call), query.key_id),
  );
}
