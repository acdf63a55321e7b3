import * as contract from "#features/carrier/contract.ts";
import type { CarrierCtx, LinkedCtx } from "#features/carrier/ctx.ts";
import { notOffered } from "#features/carrier/errors.ts";
import { endLink, finishLink, startLink, takeLinkRequest } from "#features/carrier/link-account.ts";
import { currentCompany, currentSession, withAudit, type Caller } from "#features/companies/index.ts";
import type { Mount } from "#platform/http/mount.ts";

export function carrierRoutes(mount: Mount<Caller>, ctx: CarrierCtx): void {
  mount(contract.startLink, async ({ query }, call) => ({
    redirect: await startLink(linked(ctx), {
      session: currentSession(call),
      company: currentCompany(call),
      account: query.ups_account,
    }),
  }));

  mount(contract.finishLink, async ({ body }, call) => {
    const request = await takeLinkRequest(linked(ctx), currentSession(call), body.state);
    await finishLink(withAudit(linked(ctx), call, request.realm_id), request, body);
    return { realm_id: request.realm_id, ups_account: request.account };
  });

  mount(contract.endLink, ({ query }, call) =>
    endLink(withAudit(ctx, call), currentCompany(call), query.ups_account ?? null),
  );
}

/** @throws AppError 404 where UPS accounts can't be connected */
function linked(ctx: CarrierCtx): LinkedCtx {
  if (!ctx.ups) throw notOffered();
  return { ...ctx, ups: ctx.ups };
}
