import { currentCompany, withAudit, type Caller } from "#features/companies/index.ts";
import { checkNow } from "#features/tracking/check-now.ts";
import * as contract from "#features/tracking/contract.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { makePack } from "#features/tracking/pack/make-pack.ts";
import { listTracked, readTracked, readTracking } from "#features/tracking/read-tracking.ts";
import { findProof } from "#features/tracking/store-views.ts";
import { notFound } from "#platform/errors.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

export function trackingRoutes(mount: Mount<Caller>, ctx: TrackingCtx): void {
  const companyIn = (call: Call<Caller>) => currentCompany(call).realmId;

  mount(contract.readTracking, (_input, call) => readTracking(ctx, companyIn(call)));

  mount(contract.listTracked, ({ query }, call) => listTracked(ctx, companyIn(call), query));

  mount(contract.readTracked, ({ params }, call) => readTracked(ctx, companyIn(call), params.invoice_id));

  mount(contract.readProof, async ({ params: { number } }, call) => {
    const proof = await findProof(ctx.db, companyIn(call), number);
    if (!proof) throw notFound("There is no proof of delivery of this package.");
    return sendPdf(call, `proof-${number}.pdf`, proof);
  });

  mount(contract.readPack, async ({ params: { invoice_id: id } }, call) => {
    const { pdf, number } = await makePack(ctx, companyIn(call), id);
    return sendPdf(call, `dispute-pack-${number || id}.pdf`, pdf);
  });

  mount(contract.checkNow, (_input, call) => checkNow(withAudit(ctx, call), companyIn(call)));
}

const sendPdf = ({ reply }: Call<Caller>, name: string, bytes: Buffer) =>
  reply.type(contract.PDF).header("Content-Disposition", attachment(name, "proof.pdf")).send(bytes);
