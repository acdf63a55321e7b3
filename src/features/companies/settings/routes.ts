import type { Call, Mount } from "#platform/http/mount.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import { changeSettings } from "#features/companies/settings/change-settings.ts";
import { changeService } from "#features/companies/services.ts";
import { addUser, handOver, removeUser } from "#features/companies/settings/change-users.ts";
import * as contract from "#features/companies/contract.ts";
import { readCompany, type CompanyReply } from "#features/companies/list-companies.ts";
import { conflict, notFound } from "#platform/errors.ts";
import { Readable } from "node:stream";
import * as data from "#features/companies/data-export/contract.ts";
import { listExports, openExport, requestExport } from "#features/companies/data-export/request-export.ts";
import * as storage from "#features/companies/storage/contract.ts";
import { findCompany } from "#features/companies/store.ts";
import * as support from "#features/companies/support/contract.ts";
import { askForGrant, endGrant, listGrants } from "#features/companies/support/grants.ts";
import * as trail from "#features/companies/trail/contract.ts";
import { listEntries, writeEntries } from "#features/companies/trail/list-entries.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { WithQuotas } from "#platform/quotas.ts";

/** Settings calls of a company's admin, each answered with the changed company, and the operators' grants. */
export function companyAdminRoutes(mount: Mount<Caller>, ctx: ConnectCtx): void {
  /** Reads the company as its admin sees it. @throws AppError 409 if it is disconnected */
  const read = async (call: Call<Caller>): Promise<CompanyReply> => {
    const found = await readCompany(ctx, currentUser(call), currentCompany(call));
    if (!found) throw conflict("disconnected", "This company is disconnected. Connect it again first.");
    return found;
  };
  const change = async (call: Call<Caller>, verb: () => Promise<void>): Promise<CompanyReply> =>
    (await changeWith(call, verb)).company;
  const changeWith = async <Result>(call: Call<Caller>, verb: () => Promise<Result>) => {
    await read(call);
    const result = await verb();
    return { company: await read(call), result };
  };

  const adminCall = (call: Call<Caller>, email: string) => ({
    company: currentCompany(call),
    user: currentUser(call),
    email,
  });

  mount(contract.changeService, ({ body }, call) => changeService(withAudit(ctx, call, body.realm_id), body));

  mount(contract.changeSettings, ({ body }, call) =>
    change(call, () => changeSettings(withAudit(ctx, call), currentCompany(call), body)),
  );

  mount(contract.addUser, async ({ query: { email, undo } }, call) => {
    const add = () => addUser(withAudit(ctx, call), { ...adminCall(call, email), undo });
    const { company, result: mailed } = await changeWith(call, add);
    return { ...company, mailed };
  });

  mount(contract.removeUser, async ({ query: { email } }, call) => {
    const remove = () => removeUser(withAudit(ctx, call), adminCall(call, email));
    const { company, result: undo } = await changeWith(call, remove);
    return { ...company, undo };
  });

  mount(contract.handOver, ({ query: { email } }, call) =>
    change(call, () => handOver(withAudit(ctx, call), adminCall(call, email))),
  );
}

/** Calls about a company's data, for its admin: audit trail, grants of operators, exports and space. Operators see space too. */
export function companyDataRoutes(
  mount: Mount<Caller>,
  ctx: Ctx & WithQuotas & { objects: ObjectStore },
): void {
  mount(trail.listTrail, ({ query }, call) => listEntries(ctx, currentCompany(call), query));

  mount(trail.downloadTrail, async ({ query }, call) => {
    const lines = Readable.from(writeEntries(ctx, currentCompany(call), query.search));
    return call.reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", 'attachment; filename="audit-trail.csv"')
      .send(lines);
  });

  mount(support.listGrants, async (_input, call) => ({
    grants: await listGrants(ctx, currentCompany(call).realmId),
  }));

  mount(support.endGrant, ({ query }, call) =>
    endGrant(withAudit(ctx, call), currentCompany(call).realmId, query.grant_id),
  );

  mount(support.askForGrant, async ({ body: { realm_id: realmId, reason } }, call) => {
    const userId = currentUser(call).id;
    const { endsAt } = await askForGrant(withAudit(ctx, call, realmId), { realmId, userId, reason });
    return { ends_at: endsAt.toISOString() };
  });

  mount(data.listExports, async (_input, call) => ({
    exports: await listExports(ctx, currentCompany(call)),
  }));

  mount(data.requestExport, async (_input, call) => ({
    export: await requestExport(withAudit(ctx, call), {
      company: currentCompany(call),
      user: currentUser(call),
    }),
  }));

  mount(data.downloadExport, async ({ params }, call) => {
    const { bytes, stream, madeOn } = await openExport(ctx, currentCompany(call), params.export_id);
    return call.reply
      .type("application/x-tar")
      .header("Content-Length", bytes)
      .header("Content-Disposition", `attachment; filename="all-data-${madeOn}.tar"`)
      .send(stream);
  });

  mount(storage.readStorage, async (_input, call) => ({
    storage: await ctx.quotas.list(currentCompany(call).realmId),
  }));

  mount(storage.readStorageOf, async ({ query: { realm_id: realmId } }) => {
    if (!(await findCompany(ctx.db, realmId))) throw notFound("There is no company with this ID.");
    return { storage: await ctx.quotas.list(realmId) };
  });
}
