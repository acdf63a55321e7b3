import type { Call, Mount } from "#platform/http/mount.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import { changeSettings } from "#features/companies/settings/change-settings.ts";
import { changeService } from "#features/companies/services.ts";
import { addUser, handOver, removeUser } from "#features/companies/settings/change-users.ts";
import * as contract from "#features/companies/contract.ts";
import { readCompany, type CompanyReply } from "#features/companies/list-companies.ts";
import { conflict } from "#platform/errors.ts";
import { Readable } from "node:stream";
import * as trail from "#features/companies/trail/contract.ts";
import { listEntries, writeEntries } from "#features/companies/trail/list-entries.ts";
import type { Ctx } from "#platform/ctx.ts";

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

  mount(contract.addUser, ({ query: { email, undo } }, call) =>
    change(call, () => addUser(withAudit(ctx, call), { ...adminCall(call, email), undo })),
  );

  mount(contract.removeUser, async ({ query: { email } }, call) => {
    const remove = () => removeUser(withAudit(ctx, call), adminCall(call, email));
    const { company, result: undo } = await changeWith(call, remove);
    return { ...company, undo };
  });

  mount(contract.handOver, ({ query: { email } }, call) =>
    change(call, () => handOver(withAudit(ctx, call), adminCall(call, email))),
  );
}

/** Audit trail of a company, for its admin. */
export function trailRoutes(mount: Mount<Caller>, ctx: Ctx): void {
  mount(trail.listTrail, ({ query }, call) => listEntries(ctx, currentCompany(call), query));

  mount(trail.downloadTrail, async ({ query }, call) => {
    const lines = Readable.from(writeEntries(ctx, currentCompany(call), query.search));
    return call.reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", 'attachment; filename="audit-trail.csv"')
      .send(lines);
  });
}
