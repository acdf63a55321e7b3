import type { Audited } from "#features/audit/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { cannotDownload, notOneFile, noticesUnknown } from "#features/orders/errors.ts";
import { gatherInvoice, releaseInvoices } from "#features/orders/notices-out/release-invoices.ts";
import { rejectNotice } from "#features/orders/notices-out/answer-notice.ts";
import { readNoticeSettings } from "#features/orders/notices-out/settings.ts";
import {
  changeNotice,
  findNoticeOrders,
  findUnsentInvoices,
  listDue,
  lockNotices,
  markNoticesSent,
  takeControlNumber,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import { settleLeft, readSubject } from "#features/orders/notices-out/settle-left.ts";
import { isXml, type CancelFacts, type ShipFacts } from "#features/orders/notices-out/types.ts";
import { writeConfirmation } from "#features/orders/notices-out/write-confirmation.ts";
import { writeHubInvoice } from "#features/orders/notices-out/write-hub-invoice.ts";
import type { InvoiceDocument } from "#features/orders/notices-out/write-invoice.ts";
import { writeNotice } from "#features/orders/notices-out/write-notice.ts";
import { joinBatches } from "#features/orders/notices-out/xml.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { promiseNotices, type NoticeSubject } from "#features/orders/promises.ts";
import { hasOpen } from "#features/orders/rules-shipped.ts";
import { listOrderShipments, readLineStates } from "#features/orders/store-shipped.ts";
import { lockOrders, type StoredOrder } from "#features/orders/store.ts";
import { cannotWrite } from "#features/orders/sentences.ts";
import { NotWritable } from "#formats/x12/not-writable.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError } from "#platform/errors.ts";

/** A notice as a file, X12 or XML. It counts as known to the retailer from now on, whether it is delivered or not. */
export type PendingNotice = { id: string; fileName: string; bytes: Buffer };

/** Notices of one delivery. */
const AT_ONCE = 100;

/**
 * Notices of a company that are due, for a way out such as a folder. The same notice has the same bytes and control number each
 * time, so that the retailer recognizes a repeated delivery. After a delivery, `markSent` is called.
 */
export async function listPending(ctx: OrdersCtx, realmId: string): Promise<PendingNotice[]> {
  await ctx.db.transaction().execute((tx) => releaseInvoices(ctx, tx, { realmId }));
  const due = await listDue(ctx.db, realmId, { now: ctx.clock.now(), limit: AT_ONCE });
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await settleLeft(ctx, { realmId, ids });
  const isCurrent = await recheckInvoices(ctx, realmId, ids).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn(
        { err: error, realm: realmId },
        "Invoices for a retailer wait until QuickBooks can be read",
      );
      return false;
    },
  );
  const written = await ctx.db.transaction().execute(async (tx) => {
    const { orders, notices } = await lockCurrent(ctx, tx, realmId, ids);
    const pending = notices.filter(
      ({ state, is_held: isHeld, kind, content }) =>
        state === "pending" && !isHeld && (isCurrent || kind !== "invoice" || content !== null),
    );
    return writeNotices(ctx, tx, orders, pending);
  });
  await promise(ctx, written);
  return written.map(({ id, fileName, bytes }) => ({ id, fileName, bytes }));
}

async function recheckInvoices(ctx: OrdersCtx, realmId: string, ids: readonly string[]): Promise<void> {
  const orderIds = await findUnsentInvoices(ctx.db, realmId, ids);
  if (orderIds.length > 0) await ctx.recheckInvoices(realmId, orderIds);
}

/** A notice is promised once its file is stored, so that the promise never is of a file that doesn't exist. */
const promise = ({ journal, clock }: OrdersCtx, written: readonly WrittenNotice[]): Promise<void> =>
  promiseNotices(
    journal,
    written.map(({ subject, controlNumber }) => ({
      ...subject,
      control_number: controlNumber,
      at: clock.now().toISOString(),
    })),
  );

/** Records that notices were delivered. */
export const markSent = (ctx: OrdersCtx, realmId: string, ids: readonly string[]): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const orders = await lockOrders(tx, realmId, await findNoticeOrders(tx, realmId, ids));
    await markLeft(ctx, tx, { realmId, orders, ids });
  });

/** Invoices may leave behind ship notices that have. */
async function markLeft(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, orders, ids }: { realmId: string; orders: readonly StoredOrder[]; ids: readonly string[] },
): Promise<void> {
  await markNoticesSent(tx, realmId, { ids, now: ctx.clock.now() });
  for (const { id: orderId } of orders) await releaseInvoices(ctx, tx, { realmId, orderId });
}

/**
 * Gives notices to a user, who takes them to the retailer: they are sent. Sent ones can be downloaded again.
 * @throws AppError 404 for an unknown notice; 409 for one that is not due, is withdrawn, or can't be written, and for notices that
 * one file can't hold; 409 or 503 for invoices while QuickBooks can't be read
 */
export async function downloadNotices(
  ctx: OrdersCtx & Audited,
  realmId: string,
  ids: readonly string[],
): Promise<{ bytes: Buffer; isXml: boolean }> {
  await settleLeft(ctx, { realmId, ids });
  await recheckInvoices(ctx, realmId, ids);
  const { written, ...file } = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const { orders, notices: found } = await lockCurrent(ctx, tx, realmId, ids);
    if (found.length !== new Set(ids).size) throw noticesUnknown();
    const refused = found.find(
      ({ state, content, due_at: dueAt, is_held: isHeld, needs_contents: lacks }) =>
        content === null && (state !== "pending" || isHeld || lacks || dueAt > now),
    );
    if (refused) throw cannotDownload(refused.po_number, nameRefusal(refused));
    const files = await writeNotices(ctx, tx, orders, found);
    if (files.length < found.length) {
      const [missing] = found.filter(({ id }) => !files.some((stored) => stored.id === id));
      throw cannotDownload(missing?.po_number ?? "", "rejected");
    }
    const inOrder = ids.flatMap((id) => files.find((stored) => stored.id === id)?.bytes ?? []);
    const kinds = new Set(found.map(({ document }) => isXml(document)));
    const inXml = kinds.has(true);
    const bytes = kinds.size > 1 ? null : inXml ? joinBatches(inOrder) : Buffer.concat(inOrder);
    if (!bytes) throw notOneFile();
    await markLeft(ctx, tx, { realmId, orders, ids });
    await ctx.audit(tx, {
      action: "orders.notices",
      after: { notices: found.length, po_numbers: found.map((notice) => notice.po_number).join(", ") },
    });
    return { bytes, isXml: inXml, written: files };
  });
  await promise(ctx, written);
  return file;
}

const nameRefusal = ({ kind, state, is_held: isHeld, needs_contents: lacks }: StoredNotice) =>
  isHeld ? (kind === "invoice" ? "invoice_held" : "held") : lacks ? "no_contents" : state;

type WrittenNotice = PendingNotice & { subject: NoticeSubject; controlNumber: number };

/**
 * Locks notices and, before them, their orders: an undo or a void is either seen by those that are written, or sees them. Invoice
 * documents among them are compared for the last time.
 */
async function lockCurrent(
  ctx: OrdersCtx,
  tx: Db,
  realmId: string,
  ids: readonly string[],
): Promise<{ orders: StoredOrder[]; notices: StoredNotice[] }> {
  const orders = await lockOrders(tx, realmId, await findNoticeOrders(tx, realmId, ids));
  for (const { id: orderId } of orders) await releaseInvoices(ctx, tx, { realmId, orderId });
  return { orders, notices: await lockNotices(tx, realmId, ids) };
}

/** Files of locked notices; each is written once. One that X12 has no way to write is rejected, and left out. */
async function writeNotices(
  ctx: OrdersCtx,
  tx: Db,
  orders: readonly StoredOrder[],
  notices: readonly StoredNotice[],
): Promise<WrittenNotice[]> {
  const files: WrittenNotice[] = [];
  // If two are about one order, the later one says more and gets the higher number.
  for (const notice of notices.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())) {
    const order = orders.find(({ id }) => id === notice.order_id);
    const { id, content, control_number: number } = notice;
    const known = content !== null && number !== null ? { bytes: content, controlNumber: number } : null;
    const file = known ?? (order ? await write(ctx, tx, { notice, order }) : null);
    if (file) files.push({ id, fileName: nameFile(notice), subject: readSubject(notice), ...file });
  }
  return files;
}

/** Whether a ship notice completes its order: nothing is left, and no shipment came after it. */
async function isLastShipment(
  tx: Db,
  order: StoredOrder,
  { shipment_id: id }: StoredNotice,
): Promise<boolean> {
  const shipments = await listOrderShipments(tx, order.realm_id, [order.id]);
  const last = shipments.findLast(({ isVoided }) => !isVoided);
  return last?.shipmentId === id && !hasOpen(await readLineStates(tx, order));
}

async function write(
  ctx: OrdersCtx,
  tx: Db,
  { notice, order }: { notice: StoredNotice; order: StoredOrder },
): Promise<Pick<WrittenNotice, "bytes" | "controlNumber"> | null> {
  const { realm_id: realmId, id, document } = notice;
  const partner = findPartner(ctx.partners, notice.partner);
  if (!partner) throw new Error(`There is no retailer ${notice.partner}.`);
  const settings = await readNoticeSettings(tx, realmId);
  // The company's X12 id there is about its first retailer.
  const isFirst = partner.id === ctx.partners[0].id;
  const now = ctx.clock.now();
  const timeZone = await findTimeZone(tx, realmId);
  const subject = await gatherSubject(ctx, tx, { notice, order, timeZone });
  if (!subject) return null;
  const controlNumber = await takeControlNumber(ctx, tx, { realmId, partner: notice.partner });
  try {
    const parts = { partner, controlNumber, timeZone, now };
    const { content: ordered, trading } = order;
    const content =
      trading?.format === "xml" && isXml(document)
        ? "invoice" in subject
          ? writeHubInvoice(subject.invoice, trading)
          : writeConfirmation({ ...parts, ...subject, order: { content: ordered, trading } })
        : writeNotice({
            ...parts,
            document,
            content: subject,
            order,
            settings: isFirst ? settings : { ...settings, sender_id: "" },
            isLast: await isLastShipment(tx, order, notice),
          });
    await changeNotice(tx, { realmId, id }, { control_number: controlNumber, content, tried_at: now });
    return { bytes: content, controlNumber };
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    ctx.log.warn({ err: error, realm: realmId, notice: id }, "A notice for a retailer can't be written");
    await rejectNotice(ctx, tx, notice, [cannotWrite(error)]);
    return null;
  }
}

/** Facts of a notice that may leave. */
async function gatherSubject(
  ctx: OrdersCtx,
  tx: Db,
  { notice, order, timeZone }: { notice: StoredNotice; order: StoredOrder; timeZone: string },
): Promise<{ facts: ShipFacts | CancelFacts; dueAt: Date } | { invoice: InvoiceDocument } | null> {
  const { facts, due_at: dueAt } = notice;
  if (!("invoice" in facts)) return { facts, dueAt };
  const parts = await gatherInvoice(ctx, tx, { notice, order });
  const last = parts?.shipNotices.at(-1);
  return parts && last ? { invoice: { ...parts, shippedOn: dayIn(timeZone)(last.due_at) } } : null;
}

const FILES = { ship: "ship-notice", cancel: "cancellation", invoice: "invoice" } as const;

/** "ship-notice-80001-7f3a0c21.edi" */
const nameFile = ({ kind, document, po_number: poNumber, id }: StoredNotice): string =>
  `${FILES[kind]}-${poNumber.replaceAll(/[^A-Za-z0-9_-]+/g, "-")}-${id.slice(0, 8)}.${isXml(document) ? "xml" : "edi"}`;
