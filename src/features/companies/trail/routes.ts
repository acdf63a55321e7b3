import { Readable } from "node:stream";
import { currentCompany, type Caller } from "#features/companies/authorize-call.ts";
import * as contract from "#features/companies/trail/contract.ts";
import { listEntries, writeEntries } from "#features/companies/trail/list-entries.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Mount } from "#platform/http/mount.ts";

/** What was done in a company, for its admin. */
export function trailRoutes(mount: Mount<Caller>, ctx: Ctx): void {
  mount(contract.listTrail, ({ query }, call) => listEntries(ctx, currentCompany(call), query));

  mount(contract.downloadTrail, async ({ query }, call) => {
    const lines = Readable.from(writeEntries(ctx, currentCompany(call), query.search));
    return call.reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", 'attachment; filename="audit-trail.csv"')
      .send(lines);
  });
}
