import { currentCompany, type Caller } from "#features/companies/authorize-call.ts";
import * as contract from "#features/companies/storage/contract.ts";
import { findCompany } from "#features/companies/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { WithQuotas } from "#platform/quotas.ts";

/** Space of a company, for its admin and for operators. */
export function storageRoutes(mount: Mount<Caller>, { db, quotas }: Ctx & WithQuotas): void {
  mount(contract.readStorage, async (_input, call) => ({
    storage: await quotas.list(currentCompany(call).realmId),
  }));

  mount(contract.readStorageOf, async ({ query: { realm_id: realmId } }) => {
    if (!(await findCompany(db, realmId))) throw notFound("There is no company with this ID.");
    return { storage: await quotas.list(realmId) };
  });
}
