import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { NoticeView } from "#features/orders/notices-out/contract.ts";
import { ANSWER_WITHIN_MS } from "#features/orders/notices-out/rules.ts";
import { settleOneLeft } from "#features/orders/notices-out/settle-left.ts";
import { findCutOff } from "#features/orders/notices-out/settings.ts";
import {
  addNotice,
  changeFacts,
  findCancelNotices,
  findShipNotices,
  withdrawNotice,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import {
  isXml,
  type NoticeDocument,
  type NoticeKind,
  type ShipFacts,
} from "#features/orders/notices-out/types.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { findLeftNotice } from "#features/orders/promises.ts";
import type { StoredOrder } from "#features/orders/store.ts";
import type { Trading } from "#features/orders/types.ts";
import type { Db } from "#platform/db/connect.ts";

type About = { kind: "cancel"; reason: string } | { kind: "ship"; shipmentId: string; facts: ShipFacts };

/** Lets the retailer be notified of a cancellation or of labels at the day's cut-off, if it takes such notices. */
export async function planNotice(ctx: OrdersCtx, tx: Db, order: StoredOrder, about: About): Promise<void> {
  const { realm_id: realmId, partner } = order;
  const document = chooseDocument(findPartner(ctx.partners, partner), order.trading, about.kind);
  if (!document) return;
  const now = ctx.clock.now();
  const notice = {
    realm_id: realmId,
    id: ctx.ids.uuid(),
    order_id: order.id,
    kind: about.kind,
    shipment_id: about.kind === "ship" ? about.shipmentId : null,
    partner,
    document,
    po_number: order.po_number,
    facts: about.kind === "ship" ? about.facts : { reason: about.reason },
    created_at: now,
    due_at: await findCutOff(tx, realmId, now),
  };
  await addNotice(tx, notice);
  await settleOneLeft(ctx, tx, notice);
}

/** Notices about an order are in the format in which it came, if the retailer takes that. */
function chooseDocument(
  partner: Partner | undefined,
  trading: Trading | null,
  kind: NoticeKind,
): NoticeDocument | null {
  const documents = trading?.format === "xml" && partner?.xmlNotices ? partner.xmlNotices : partner?.notices;
  return documents?.[kind] ?? null;
}

/** Takes a cancellation back. @returns whether the retailer may know of it: then nothing was done */
export async function withdrawCancellation(tx: Db, { realm_id: realmId, id }: StoredOrder, now: Date) {
  await withdrawNotice(tx, { realmId, cancelOf: id }, now);
  return (await findCancelNotices(tx, realmId, [id])).length > 0;
}

/** Takes the ship notice of labels back that were voided, unless the retailer may have it. */
export const withdrawShipNotice = (tx: Db, realmId: string, shipmentId: string, now: Date): Promise<void> =>
  withdrawNotice(tx, { realmId, shipmentId }, now);

/** Leaves cartons out of a ship notice that were voided. */
export async function dropCartons(
  tx: Db,
  realmId: string,
  { shipmentId, numbers }: { shipmentId: string; numbers: ReadonlySet<string> },
): Promise<void> {
  const [notice] = await findShipNotices(tx, realmId, [shipmentId]);
  if (!notice || !("cartons" in notice.facts)) return;
  const cartons = notice.facts.cartons.filter(({ trackingNumber }) => !numbers.has(trackingNumber));
  await changeFacts(tx, { realmId, id: notice.id }, { ...notice.facts, cartons });
}

/** Whether the retailer has a cancellation of an order that this database, restored since, doesn't know. */
export async function isCancelledBefore(
  { journal }: OrdersCtx,
  tx: Db,
  { realm_id: realm, id, partner, po_number: po }: StoredOrder,
): Promise<boolean> {
  const left = await findLeftNotice(journal, { realm, partner, po, about: "cancel", shipment: "" });
  return left !== undefined && (await findCancelNotices(tx, realm, [id])).length === 0;
}

/** Whether the retailer may have a notice. */
export const isNotified = (notice: StoredNotice | undefined): boolean =>
  notice !== undefined && notice.tried_at !== null;

export function toNoticeView(notice: StoredNotice, now: Date): NoticeView {
  const { id, state, document, due_at: dueAt, sent_at: sentAt, ended_at: endedAt } = notice;
  const problems = [...notice.problems];
  if (state === "sent" && sentAt) {
    const isLate = !isXml(document) && now.getTime() - sentAt.getTime() >= ANSWER_WITHIN_MS;
    return { id, state: isLate ? "overdue" : state, at: sentAt.toISOString(), problems };
  }
  return { id, state, at: (endedAt ?? dueAt).toISOString(), problems };
}
