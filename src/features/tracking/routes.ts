import { currentCompany, withAudit, type Caller } from "#features/companies/index.ts";
import { giveToken, isAlertOfUps } from "#features/packages/index.ts";
import { checkNow } from "#features/tracking/check-now.ts";
import * as contract from "#features/tracking/contract.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { keepMessage } from "#features/tracking/inbox.ts";
import { makePack } from "#features/tracking/pack/make-pack.ts";
import { listTracked, readTracked, readTracking } from "#features/tracking/read-tracking.ts";
import { findProof } from "#features/tracking/store-views.ts";
import { isSignedWebhook } from "#integrations/intuit/verify-webhook.ts";
import { notFound, notSigned } from "#platform/errors.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

/** Paths for Intuit's reports of changes, and for UPS's events. */
export const CHANGES_PATH = "/intuit/webhook";
export const ALERT_PATH = "/webhooks/ups";
/** Where UPS gets a token before it sends events of whole accounts. */
export const ALERT_TOKEN_PATH = `${ALERT_PATH}/token`;

/** A report of Intuit's may name many changes; an event of UPS's is one package's. */
const MAX_REPORT_BYTES = 1024 * 1024;
const MAX_ALERT_BYTES = 64 * 1024;
const MAX_TOKEN_BYTES = 4 * 1024;

type Options = { ctx: TrackingCtx; mount: Mount<Caller>; serveRoute: ServeRoute };

export function trackingRoutes({ ctx, mount, serveRoute }: Options): void {
  const companyIn = (call: Call<Caller>) => currentCompany(call).realmId;

  mount(contract.readTracking, (_input, call) => readTracking(ctx, companyIn(call)));

  mount(contract.listTracked, ({ query }, call) => listTracked(ctx, companyIn(call), query));

  mount(contract.readTracked, ({ params }, call) => readTracked(ctx, companyIn(call), params.invoice_id));

  mount(contract.readProof, async ({ params: { number } }, call) => {
    const proof = await findProof(ctx.db, companyIn(call), number);
    if (!proof) throw notFound("There is no proof of delivery for this package.");
    return sendPdf(call, `proof-${number}.pdf`, proof);
  });

  mount(contract.readPack, async ({ params: { invoice_id: id } }, call) => {
    const { pdf, number } = await makePack(ctx, companyIn(call), id);
    return sendPdf(call, `dispute-pack-${number || id}.pdf`, pdf);
  });

  mount(contract.checkNow, (_input, call) => checkNow(withAudit(ctx, call), companyIn(call)));

  serveRoute(
    {
      method: "POST",
      path: CHANGES_PATH,
      gate: { of: "vendors", maxBytes: MAX_REPORT_BYTES, large: "once signed" },
    },
    async (request, reply) => {
      const signature = headerText(request.headers["intuit-signature"]);
      const body = request.body as Buffer;
      const { verifierToken } = ctx;
      if (!verifierToken || !isSignedWebhook({ body, signature, verifierToken })) throw notSigned(401);
      await keepMessage(ctx, "intuit", body);
      return reply.code(200).send();
    },
  );

  serveRoute(
    { method: "POST", path: ALERT_PATH, gate: { of: "vendors", maxBytes: MAX_ALERT_BYTES } },
    async (request, reply) => {
      const { credential, authorization } = request.headers;
      if (!isAlertOfUps(ctx, { credential: headerText(credential), authorization })) throw notSigned(401);
      await keepMessage(ctx, "ups", request.body as Buffer);
      return reply.code(200).send();
    },
  );

  serveRoute(
    { method: "POST", path: ALERT_TOKEN_PATH, gate: { of: "vendors", maxBytes: MAX_TOKEN_BYTES } },
    async (request, reply) => {
      const token = giveToken(ctx, request.headers.authorization);
      if (!token) throw notSigned(401);
      return reply.code(200).send(token);
    },
  );
}

const headerText = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);

const sendPdf = ({ reply }: Call<Caller>, name: string, bytes: Buffer) =>
  reply.type(contract.PDF).header("Content-Disposition", attachment(name, "proof.pdf")).send(bytes);
