import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { answerShipment } from "#features/shipping/answer-shipment.ts";
import * as contract from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { printLabels, readLabelFile, readPackingSlip, type LabelFile } from "#features/shipping/files.ts";
import { readHistory } from "#features/shipping/history.ts";
import { readOpenOrders } from "#features/shipping/list-orders.ts";
import { requestLabels } from "#features/shipping/request-labels.ts";
import { failure } from "#features/shipping/sentences.ts";
import { changeSettings, readSettings } from "#features/shipping/settings.ts";
import { findUnderWay } from "#features/shipping/store.ts";
import { setContents } from "#features/shipping/set-contents.ts";
import { voidLabels } from "#features/shipping/void-labels.ts";
import {
  cancelLines,
  cancelOrder,
  findNamedOrder,
  findOrders,
  findPartner,
  orderUnknown,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { conflict } from "#platform/errors.ts";
import { waitForChange } from "#platform/events/wait-for-change.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

export function shippingRoutes(mount: Mount<Caller>, ctx: ShippingCtx & { changes: ChangeFeed }): void {
  const [partner] = ctx.partners;
  const companyIn = (call: Call<Caller>) => currentCompany(call).realmId;
  /** Why the company usually cancels an order of its retailer. */
  const findReason = async (realmId: string, order: StoredOrder) =>
    (await readSettings(ctx, realmId, findPartner(ctx.partners, order.partner) ?? partner)).cancel_reason;

  mount(contract.listOpenOrders, (_input, call) => readOpenOrders(ctx, currentCompany(call)));

  mount(contract.cancelOrder, async ({ query }, call) => {
    const realmId = companyIn(call);
    const which = { id: query.order_id, partner: query.customer, poNumber: query.po_number };
    const order = await findNamedOrder(ctx.db, realmId, which);
    const reason = query.reason ?? (await findReason(realmId, order));
    return cancelOrder(withAudit(ctx, call), realmId, { id: order.id, reason, by: currentUser(call).email });
  });

  mount(contract.cancelLines, async ({ body }, call) => {
    const realmId = companyIn(call);
    const [order] = await findOrders(ctx.db, realmId, [body.order_id]);
    if (!order) throw orderUnknown();
    const reason = body.cancel_reason ?? (await findReason(realmId, order));
    const by = currentUser(call).email;
    return cancelLines(withAudit(ctx, call), realmId, { id: body.order_id, lines: body.lines, reason, by });
  });

  mount(contract.createShipment, async ({ body }, call) => {
    const realmId = companyIn(call);
    const which = { id: body.order_id, partner: partner.id, poNumber: body.po_number };
    const order = await findNamedOrder(ctx.db, realmId, which);
    const gone = new AbortController();
    call.reply.raw.once("close", () => gone.abort());
    const wanted = {
      orderId: order.id,
      cartons: body.cartons,
      cancels: body.cancels,
      key: body.key ?? null,
      part: body.shipment_number ?? null,
      service: body.service ?? null,
    };
    const request = { realmId, by: currentUser(call).email };
    const [started] = await requestLabels(withAudit(ctx, call), request, [wanted]);
    if (started?.problem || !started?.id) throw started?.problem ?? orderUnknown();
    const { id } = started;
    // A purchase in doubt is settled by a user or by UPS, which may take days.
    const read = async () => {
      const purchase = await findUnderWay(ctx.db, { realmId, id });
      if (!purchase || purchase.is_in_doubt) return null;
      return purchase.state === "making" ? undefined : purchase;
    };
    const made = await waitForChange(ctx, { realmId, kind: "labels" }, { read, gone: gone.signal });
    if (made?.state === "failed")
      throw conflict("labels_failed", made.cause ? failure(made.cause).error : "");
    if (made?.state !== "made" || made.label_file === null)
      return call.reply.code(202).send(contract.createShipment.accepted.parse({ id }));
    const file = await readLabelFile(ctx, realmId, made.label_file);
    call.reply.header(DOCUMENT_OF_HEADER, made.id);
    return sendLabels(call, made.label_file, file);
  });

  mount(contract.createShipments, async ({ body }, call) => {
    const request = { realmId: companyIn(call), by: currentUser(call).email };
    const wanted = body.orders.map(({ order_id: orderId, cartons, cancels, key, ...order }) => ({
      orderId,
      cartons,
      cancels,
      key,
      part: order.shipment_number ?? null,
      service: order.service ?? null,
    }));
    const started = await requestLabels(withAudit(ctx, call), request, wanted);
    return {
      orders: started.map(({ orderId, id, problem }) => ({
        order_id: orderId,
        id,
        problem: problem?.message ?? "",
      })),
    };
  });

  mount(contract.setContents, ({ body }, call) =>
    setContents(withAudit(ctx, call), { realmId: companyIn(call), id: body.id }, body.cartons),
  );

  mount(contract.printShipments, async ({ body }, call) => {
    const file = await printLabels(withAudit(ctx, call), companyIn(call), body);
    return sendLabels(call, `labels.${file.format}`, file);
  });

  mount(contract.answerShipment, ({ body }, call) =>
    answerShipment(
      withAudit(ctx, call),
      { realmId: companyIn(call), id: body.id },
      { answer: body.answer, trackingNumber: body.tracking_number ?? "", by: currentUser(call).email },
    ),
  );

  mount(contract.listShipments, ({ query }, call) => readHistory(ctx, companyIn(call), query));

  mount(contract.voidShipment, async ({ query }, call) => {
    const which = {
      poNumber: query.po_number,
      shipment: query.shipment,
      trackingNumber: query.tracking_number ?? null,
      by: currentUser(call).email,
    };
    return { kept: await voidLabels(withAudit(ctx, call), companyIn(call), which) };
  });

  mount(contract.downloadLabelFile, async ({ params: { filename } }, call) =>
    sendLabels(call, filename, await readLabelFile(ctx, companyIn(call), filename)),
  );

  mount(contract.downloadPackingSlip, async ({ params: { filename }, query: { id } }, call) => {
    // Read first: a refusal must not have the headers of a file.
    const slip = await readPackingSlip(ctx, companyIn(call), { name: filename, shipmentId: id });
    return call.reply
      .type(contract.PDF)
      .header("Content-Disposition", attachment(filename, "packing-slip.pdf"))
      .send(slip);
  });

  mount(contract.readCarrierSettings, async (_input, call) => ({
    ...(await readSettings(ctx, companyIn(call), partner)),
    cancel_reasons: [...partner.cancelReasons],
  }));

  mount(contract.changeCarrierSettings, ({ body }, call) =>
    changeSettings(withAudit(ctx, call), currentCompany(call), body),
  );
}

const sendLabels = ({ reply }: Call<Caller>, name: string, { bytes, format }: LabelFile) =>
  reply
    .type(format === "pdf" ? contract.PDF : "application/octet-stream")
    .header("Content-Disposition", attachment(name, `labels.${format}`))
    .send(bytes);
