import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { NoticeView } from "#features/orders/notices-out/contract.ts";
import { ANSWER_WITHIN_MS } from "#features/orders/notices-out/rules.ts";
import { releaseInvoices } from "#features/orders/notices-out/release-invoices.ts";
import { enteredAt, promiseEntered, settleOneLeft } from "#features/orders/notices-out/settle-left.ts";
import { findCutOff } from "#features/orders/notices-out/settings.ts";
import {
  addNotice,
  changeFacts,
  changeNotice,
  findCancelNotices,
  findInvoiceNotices,
  findLineCancels,
  findShipNotices,
  withdrawNotice,
  type StoredMessage,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import {
  isXml,
  type BookedInvoice,
  type CancelFacts,
  type NoticeDocument,
  type ShipFacts,
} from "#features/orders/notices-out/types.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { findLeftNotice } from "#features/orders/promises.ts";
import { describeShipped } from "#features/orders/rules-shipped.ts";
import { listOrderShipments } from "#features/orders/store-shipped.ts";
import type { StoredOrder } from "#features/orders/store.ts";
import type { LineCancel, NoticeKind, Trading } from "#features/orders/types.ts";
import type { Db } from "#platform/db/connect.ts";

export { promiseEntered, releaseInvoices };

type About = ({ kind: "cancel" } & CancelFacts) | { kind: "ship"; shipmentId: string; facts: ShipFacts };

/** Lets the retailer be notified of a cancellation or of labels at the day's cutoff, if it takes such notices. */
export async function planNotice(ctx: OrdersCtx, tx: Db, order: StoredOrder, about: About): Promise<void> {
  const { realm_id: realmId, partner } = order;
  const retailer = findPartner(ctx.partners, partner);
  const document = chooseDocument(retailer, order.trading, about.kind);
  if (!document) return;
  const isUnknown = about.kind === "ship" && about.facts.cartons.some(({ contents }) => contents === null);
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
    facts:
      about.kind === "ship"
        ? about.facts
        : {
            reason: about.reason,
            lines: about.lines,
            canceledSoFar: about.canceledSoFar,
            isWhole: about.isWhole,
            sequence: about.sequence,
            store: order.store,
          },
    created_at: now,
    due_at: await findCutOff(tx, realmId, now),
    needs_contents: isUnknown && retailer?.needsContents === true,
  };
  await addNotice(tx, notice);
  await settleOneLeft(ctx, tx, notice);
  // The one invoice of an order bills these labels, too.
  if (about.kind === "ship") await releaseInvoices(ctx, tx, { realmId, orderId: order.id });
}

/** Notices about an order are in the format in which it came, if the retailer takes that. */
function chooseDocument(
  partner: Partner | undefined,
  trading: Trading | null,
  kind: NoticeKind,
): NoticeDocument | null {
  if (!partner) return null;
  const isInXml = trading?.format === "xml";
  if (kind === "invoice") {
    const { document, xmlDocument } = partner.invoices;
    return isInXml && xmlDocument ? xmlDocument : document;
  }
  return (isInXml && partner.xmlNotices ? partner.xmlNotices : partner.notices)[kind];
}

/**
 * Plans the document of an invoice that QuickBooks has stored, for the retailer. It leaves once, after its ship notices and once it
 * agrees with them and the order (`release-invoices.ts`). The same invoice again replaces what was planned and has not left; once it
 * was rejected, a further document is planned.
 * @param shipmentId purchase of the labels that it is about; null for all of the order
 * @returns null if the retailer takes no invoice documents
 */
export async function planInvoiceDocument(
  ctx: OrdersCtx,
  tx: Db,
  order: StoredOrder,
  { shipmentId, invoice }: { shipmentId: string | null; invoice: BookedInvoice },
): Promise<{ id: string } | null> {
  const { realm_id: realmId, partner } = order;
  const document = chooseDocument(findPartner(ctx.partners, partner), order.trading, "invoice");
  if (!document) return null;
  const before = await findInvoiceNotices(tx, realmId, { invoiceId: invoice.id });
  const current = before.find(({ state }) => state !== "rejected");
  if (current) {
    await changeFacts(tx, { realmId, id: current.id }, { invoice, attempt: before.length });
    await releaseInvoices(ctx, tx, { realmId, orderId: order.id });
    return { id: current.id };
  }
  const now = ctx.clock.now();
  const notice = {
    realm_id: realmId,
    id: ctx.ids.uuid(),
    order_id: order.id,
    kind: "invoice",
    shipment_id: shipmentId,
    partner,
    document,
    po_number: order.po_number,
    facts: { invoice, attempt: before.length + 1 },
    created_at: now,
    due_at: now,
    is_held: true,
  } as const;
  await addNotice(tx, notice);
  await settleOneLeft(ctx, tx, notice);
  await releaseInvoices(ctx, tx, { realmId, orderId: order.id });
  return { id: notice.id };
}

/** Takes back the document of an invoice that was undone. @returns whether the retailer may have it: then nothing was done */
export async function withdrawInvoiceDocument(
  tx: Db,
  { realmId, invoiceId }: { realmId: string; invoiceId: string },
  now: Date,
): Promise<boolean> {
  await withdrawNotice(tx, { realmId, invoiceId }, now);
  const left = await findInvoiceNotices(tx, realmId, { invoiceId });
  return left.some(({ state }) => state !== "rejected");
}

/** True for the document of an invoice that differs from what was shipped or ordered, or that can't be sent from here. */
export const isHeldBack = ({ facts, state, is_held: isHeld, problems }: StoredNotice): boolean =>
  "invoice" in facts && state === "pending" && isHeld && problems.length > 0;

/**
 * Notes that the retailer has an invoice whose document is held back: a user entered it in the portal. `promiseEntered` follows the
 * commit.
 * @returns the document, if one is held back
 */
export async function noteEntered(
  tx: Db,
  { realmId, invoiceId }: { realmId: string; invoiceId: string },
  now: Date,
): Promise<StoredNotice | undefined> {
  const held = (await findInvoiceNotices(tx, realmId, { invoiceId })).find(isHeldBack);
  if (held) await changeNotice(tx, { realmId, id: held.id }, enteredAt(now));
  return held;
}

/** Takes a cancellation back. @returns whether the retailer may know of it: then nothing was done */
export async function withdrawCancellation(tx: Db, { realm_id: realmId, id }: StoredOrder, now: Date) {
  await withdrawNotice(tx, { realmId, cancelOf: id }, now);
  return (await findCancelNotices(tx, realmId, [id])).length > 0;
}

/**
 * Lets the documents about labels that have not left follow what is shipped under them by now: cartons that aren't voided, and their
 * contents. With no carton left, none leaves.
 */
export async function renewDocuments(
  ctx: OrdersCtx,
  tx: Db,
  { realm_id: realmId, id: orderId }: StoredOrder,
  shipmentId: string,
): Promise<void> {
  const shipments = await listOrderShipments(tx, realmId, [orderId]);
  const shipment = shipments.find((part) => part.shipmentId === shipmentId);
  const [notice] = await findShipNotices(tx, realmId, [shipmentId]);
  if (!shipment || !notice) return;
  if (shipment.isVoided) await withdrawNotice(tx, { realmId, shipmentId }, ctx.clock.now());
  else await changeFacts(tx, { realmId, id: notice.id }, { ...notice.facts, ...describeShipped(shipment) });
  await releaseInvoices(ctx, tx, { realmId, orderId });
}

/** The number of the next cancellation of an order's lines. What stays canceled may get less; numbers of notices are not used again. */
export async function nextLineCancel(tx: Db, { realm_id: realmId, id }: StoredOrder): Promise<number> {
  const [last] = await findLineCancels(tx, realmId, id);
  return last && "sequence" in last.facts ? last.facts.sequence + 1 : 0;
}

/** Names all pieces of an order that are canceled, for its notices. */
export const nameCanceled = (cancels: readonly LineCancel[]): CancelFacts["canceledSoFar"] =>
  cancels.map(({ line, quantity, reason }) => ({ line, quantity, reason }));

/**
 * Lets cancellations of an order's lines that have not left follow what stays canceled after the retailer confirmed some of it. With
 * nothing left to say, none leaves.
 */
export async function renewCancellations(ctx: OrdersCtx, tx: Db, order: StoredOrder): Promise<void> {
  const { realm_id: realmId, line_cancels: kept } = order;
  for (const { id, facts } of await listUnsentCancels(tx, order)) {
    const own = kept.filter(({ isWhole, sequence }) => !isWhole && sequence === facts.sequence);
    const lines = own.map(({ line, quantity }) => ({ line, quantity }));
    const notice = { realmId, id };
    if (lines.length > 0)
      await changeFacts(tx, notice, { ...facts, lines, canceledSoFar: nameCanceled(kept) });
    else await changeNotice(tx, notice, { state: "withdrawn", ended_at: ctx.clock.now() });
  }
}

/** Cancellations of an order's lines that were not written yet. */
export async function listUnsentCancels(db: Db, { realm_id: realmId, id: orderId }: StoredOrder) {
  const notices = await findLineCancels(db, realmId, orderId);
  return notices.flatMap(({ id, state, content, facts }) =>
    state === "pending" && content === null && "sequence" in facts ? [{ id, facts }] : [],
  );
}

/** Whether the retailer has a cancellation of an order that this database, restored since, doesn't know. */
export async function isCanceledBefore(
  { journal }: OrdersCtx,
  tx: Db,
  { realm_id: realm, id, partner, po_number: po, store }: StoredOrder,
): Promise<boolean> {
  const left = await findLeftNotice(journal, { realm, partner, po, about: "cancel", shipment: store });
  return left !== undefined && (await findCancelNotices(tx, realm, [id])).length === 0;
}

/** Whether the retailer may have a notice. */
export const isNotified = (notice: StoredNotice | undefined): boolean =>
  notice !== undefined && notice.tried_at !== null;

/** Finds an invoice as the retailer may have it, by the documents of it. */
export function findSentInvoice(documents: readonly StoredNotice[]): BookedInvoice | undefined {
  const sent = documents.find((document) => isNotified(document) && document.state !== "rejected");
  return sent && "invoice" in sent.facts ? sent.facts.invoice : undefined;
}

/** True if the retailer may have an invoice, by its documents. */
export const hasInvoice = (documents: readonly StoredNotice[]): boolean =>
  findSentInvoice(documents) !== undefined;

/** True if the retailer may count an order as canceled. A cancellation that it rejected, or that couldn't be written, changes nothing there. */
export const isCancelNotified = (notice: StoredNotice | undefined): boolean =>
  isNotified(notice) && notice?.state !== "rejected";

/** True for the document of an invoice that the retailer rejected and that is still in the books. */
export const isResendable = ({ facts, state }: StoredNotice): boolean =>
  "invoice" in facts && state === "rejected" && !facts.isOver;

/**
 * A retailer's texts (864) about a document of an invoice that it may have, and those about its order since that name none: only a user
 * can understand which invoice isn't booked.
 * @param messages those about its order
 */
export const listObjections = (
  { id, facts, state, tried_at: tried }: StoredNotice,
  messages: readonly StoredMessage[],
): StoredMessage[] =>
  "invoice" in facts && (state === "sent" || state === "accepted")
    ? messages.filter(
        ({ document, notice_id: about, received_at: at }) =>
          document === "864" && (about === id || (about === null && tried !== null && at >= tried)),
      )
    : [];

export function toNoticeView(notice: StoredNotice, now: Date): NoticeView {
  const { id, state, document, due_at: dueAt, sent_at: sentAt, ended_at: endedAt } = notice;
  const problems = [...notice.problems];
  if (state === "sent" && sentAt) {
    const isLate = !isXml(document) && now.getTime() - sentAt.getTime() >= ANSWER_WITHIN_MS;
    return { id, state: isLate ? "overdue" : state, at: sentAt.toISOString(), problems };
  }
  return { id, state, at: (endedAt ?? dueAt).toISOString(), problems };
}
