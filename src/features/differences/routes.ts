import { currentCompany, type Caller } from "#features/companies/index.ts";
import * as contract from "#features/differences/contract.ts";
import { describeDifference } from "#features/differences/sentences.ts";
import { findDifferences } from "#features/differences/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

export function differenceRoutes(mount: Mount<Caller>, { db }: Ctx): void {
  mount(contract.listDifferences, async (_input, call) => ({
    differences: (await findDifferences(db, currentCompany(call).realmId)).map((difference) => ({
      vendor: difference.vendor,
      ...describeDifference(difference),
      found_at: difference.found_at.toISOString(),
    })),
  }));
}
