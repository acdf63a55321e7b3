import type { Call, Mount } from "#platform/http/mount.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import { changeSettings } from "#features/companies/settings/change-settings.ts";
import { changeService } from "#features/companies/settings/change-service.ts";
import { addUser, handOver, removeUser } from "#features/companies/settings/change-users.ts";
import * as contract from "#features/companies/contract.ts";
import { readCompany, type CompanyReply } from "#features/companies/list-companies.ts";
import { conflict } from "#platform/errors.ts";

/** What a company's admin may do in Settings, each answered with the company as it is then; and what is granted to it. */
export function companyAdminRoutes(mount: Mount<Caller>, ctx: ConnectCtx): void {
  /** The company as its admin sees it. @throws AppError 409 when it is disconnected */
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

  const adminOf = (call: Call<Caller>, email: string) => ({
    company: currentCompany(call),
    user: currentUser(call),
    email,
  });

  mount(contract.changeService, ({ body }, call) => changeService(withAudit(ctx, call, body.realm_id), body));

  mount(contract.changeSettings, ({ body }, call) =>
    change(call, () => changeSettings(withAudit(ctx, call), currentCompany(call), body)),
  );

  mount(contract.addUser, ({ query: { email, undo } }, call) =>
    change(call, () => addUser(withAudit(ctx, call), { ...adminOf(call, email), undo })),
  );

  mount(contract.removeUser, async ({ query: { email } }, call) => {
    const remove = () => removeUser(withAudit(ctx, call), adminOf(call, email));
    const { company, result: undo } = await changeWith(call, remove);
    return { ...company, undo };
  });

  mount(contract.handOver, ({ query: { email } }, call) =>
    change(call, () => handOver(withAudit(ctx, call), adminOf(call, email))),
  );
}
