import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import * as contract from "#features/companies/data-export/contract.ts";
import { listExports, openExport, requestExport } from "#features/companies/data-export/request-export.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { WithQuotas } from "#platform/quotas.ts";

/** Exports of all data of a company, for its admin. */
export function exportRoutes(mount: Mount<Caller>, ctx: Ctx & WithQuotas & { objects: ObjectStore }): void {
  mount(contract.listExports, async (_input, call) => ({
    exports: await listExports(ctx, currentCompany(call)),
  }));

  mount(contract.requestExport, async (_input, call) => ({
    export: await requestExport(withAudit(ctx, call), {
      company: currentCompany(call),
      user: currentUser(call),
    }),
  }));

  mount(contract.downloadExport, async ({ params }, call) => {
    const { bytes, stream, madeOn } = await openExport(ctx, currentCompany(call), params.export_id);
    return call.reply
      .type("application/x-tar")
      .header("Content-Length", bytes)
      .header("Content-Disposition", `attachment; filename="all-data-${madeOn}.tar"`)
      .send(stream);
  });
}
