import { isDeepStrictEqual } from "node:util";
import type { Audited } from "#features/audit/index.ts";
import { lockCompany } from "#features/companies/index.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { mailRefused } from "#features/orders/intake/mail-refused.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import { findOrderStore, key, sortDocuments, type OfOrder } from "#features/orders/intake/sort-documents.ts";
import { writeReply } from "#features/orders/intake/write-reply.ts";
import { answerNotice, mailMessage } from "#features/orders/notices-out/answer-notice.ts";
import { takeMessage } from "#features/orders/notices-out/take-message.ts";
import { releaseInvoices } from "#features/orders/notices-out/notices.ts";
import {
  addMessage,
  findOrderIdsByNumber,
  takeControlNumber,
  type OrderNumbers,
} from "#features/orders/notices-out/store.ts";
import { promiseTakenFile } from "#features/orders/promises.ts";
import {
  applyChange,
  checkOrder,
  fileName,
  fingerprintOrder,
  isOlderChange,
  nameOrder,
} from "#features/orders/rules.ts";
import { ORDER_CANCELED } from "#features/orders/sentences.ts";
import { byRetailer, cancelLocked } from "#features/orders/states.ts";
import {
  addDocument,
  addOrders,
  changeOrder,
  lockOrders,
  type NewOrder,
  type StoredOrder,
} from "#features/orders/store.ts";
import type { ChangeNumber, IntakeChannel, Order, Trading } from "#features/orders/types.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

/** Orders stored per batch; other calls run between batches. */
const STORED_AT_ONCE = 200;

/** A file as it came in, and by whom. */
export type Incoming = {
  realmId: string;
  channel: IntakeChannel;
  fileName: string;
  bytes: Buffer;
  by: string;
};

/**
 * Stores a file and what its documents say, all in one transaction. An order that is already stored changes nothing; a different
 * one under the same number waits for a user; an order with labels is not canceled by its retailer but flagged.
 * @throws AppError 413 if the company has no space for the file
 */
export async function acceptDocuments(
  ctx: OrdersCtx & Audited,
  { realmId, channel, fileName: name, bytes, by }: Incoming,
  read: ReadOrders,
): Promise<{ results: OrderDocumentResult[]; reply: Buffer | null }> {
  await ctx.quotas.requireSpace(realmId, "orders", bytes.length);
  const now = ctx.clock.now();
  const documentId = ctx.ids.uuid();
  const taken = await ctx.db.transaction().execute(async (tx) => {
    // Two files with one number come one after the other.
    await lockCompany(tx, realmId);
    const file = { realm_id: realmId, id: documentId, channel, file_name: name, content: bytes };
    const stored = new Map<string, StoredOrder>();
    /** The stores that have an order of a number. */
    const stores = new Map<string, Set<string>>();
    const noteStore = ({
      partner,
      po_number: po,
      store,
    }: Pick<NewOrder, "partner" | "po_number" | "store">) => {
      const place = key(partner, po);
      stores.set(place, (stores.get(place) ?? new Set()).add(store));
    };
    const lock = async (ids: readonly string[]) => {
      for (const order of await lockOrders(tx, realmId, ids)) {
        stored.set(key(order.partner, nameOrder(order)), order);
        noteStore(order);
      }
    };
    // All that the documents name, before the notices about them.
    await lock(await findOrderIdsByNumber(tx, realmId, listNumbers(read)));
    // Stored many at a time, since a file may have thousands of new orders.
    const added = new Map<string, NewOrder>();
    const storeAdded = async () => {
      await addOrders(tx, { realmId, documentId, now }, [...added.values()]);
      await lock([...added.values()].map(({ id }) => id));
      added.clear();
    };
    const results: OrderDocumentResult[] = [];
    for (const { at, partner, document, trading = null } of sortDocuments(ctx, read.documents, stored)) {
      if (document.kind === "answer") {
        results[at] = await answerNotice(ctx, tx, { realmId, partner, answer: document });
        continue;
      }
      if (document.kind === "message") {
        results[at] = await takeMessage(ctx, tx, { realmId, partner, message: document });
        continue;
      }
      const store = findOrderStore(ctx, partner, {
        document,
        stores: stores.get(key(partner, document.poNumber)) ?? new Set(),
      });
      if (typeof store !== "string") {
        results[at] = { po_number: document.poNumber, result: "refused", problems: [store.problem] };
        continue;
      }
      const place = key(partner, nameOrder({ po_number: document.poNumber, store }));
      const before = added.get(place);
      if (document.kind === "order" && !before && !stored.has(place)) {
        const order = toNewOrder(ctx.ids.uuid(), { partner, store, trading, order: document.order });
        added.set(place, order);
        noteStore(order);
        results[at] = { po_number: document.poNumber, result: "added", problems: [] };
        if (added.size === STORED_AT_ONCE) await storeAdded();
        continue;
      }
      if (before) await storeAdded();
      const order = stored.get(place);
      const { result, problems = [] } = await accept(ctx, tx, { document, stored: order, now, channel });
      results[at] = { po_number: document.poNumber, result, problems: [...problems] };
      if (order && result === "refused" && isChange(document))
        await addMessage(tx, {
          realm_id: realmId,
          id: ctx.ids.uuid(),
          order_id: order.id,
          notice_id: null,
          partner,
          document: "860",
          source: `${documentId}/${at}`,
          meaning: "attention",
          sentences: problems,
          received_at: now,
        });
    }
    await storeAdded();
    const count = (result: OrderDocumentResult["result"]) =>
      results.filter((document) => document.result === result).length;
    await ctx.audit(tx, {
      action: "orders.add",
      after: {
        file: name,
        channel,
        documents: results.length,
        added: count("added"),
        refused: count("refused"),
      },
    });
    const reply = await writeReplies(ctx, tx, { realmId, read, results });
    await addDocument(tx, { ...file, reply, received_at: now, received_by: by, results });
    if (channel === "folder") await mailRefused(ctx, tx, { realmId, file: name, results, read });
    return { results, reply };
  });
  // Its sender learns from now on that it was taken.
  await promiseTakenFile(ctx.journal, {
    realm: realmId,
    channel,
    document: documentId,
    file: name,
    added: taken.results.filter(({ result }) => result === "added").length,
    at: now.toISOString(),
  });
  return taken;
}

/** Acknowledgments of a file, each under the next number of its retailer; null without any. */
async function writeReplies(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, read, results }: { realmId: string; read: ReadOrders; results: readonly OrderDocumentResult[] },
): Promise<Buffer | null> {
  const isRefused = (_: unknown, at: number) => results[at]?.result === "refused";
  const refused = new Set(read.documents.filter(isRefused).map(({ document }) => document));
  const written: Buffer[] = [];
  for (const { partner, ...reply } of read.replies)
    written.push(writeReply(reply, await takeControlNumber(ctx, tx, { realmId, partner }), refused));
  return written.length > 0 ? Buffer.concat(written) : null;
}

/** Numbers by which documents name orders. A text may name one in any of its words. */
function listNumbers({ documents }: ReadOrders): OrderNumbers {
  const answers = documents.flatMap(({ document }) => (document.kind === "answer" ? document : []));
  const about = documents.flatMap(({ document }) => (document.kind === "message" ? document.about : []));
  const words = about.flatMap((each) => [each.invoiceNumber, ...each.words]).filter(Boolean);
  const poNumbers = documents.map(({ document }) => document.poNumber).filter(Boolean);
  return {
    poNumbers: [...new Set([...poNumbers, ...words])],
    invoiceNumbers: words,
    controlNumbers: [...answers, ...about].flatMap(({ controlNumber }) => controlNumber ?? []),
  };
}

const isChange = (document: OfOrder): boolean =>
  document.kind === "change" || document.kind === "cancellation" || "isChange" in document;

const toNewOrder = (
  id: string,
  {
    partner,
    store,
    trading,
    order,
  }: { partner: string; store: string; trading: Trading | null; order: Order },
): NewOrder => ({
  id,
  partner,
  po_number: order.poNumber,
  store,
  content: order,
  fingerprint: fingerprintOrder(order),
  slip_file: fileName({ partner, po_number: order.poNumber, store, id }, "packing-slip.pdf"),
  customer_name: order.shipTo.name,
  trading,
});

type Accepted = Pick<OrderDocumentResult, "result"> & { problems?: readonly string[] };

/** Accepts a document about a stored order, or about none. */
async function accept(
  ctx: OrdersCtx,
  tx: Db,
  {
    document,
    stored,
    now,
    channel,
  }: {
    document: OfOrder;
    stored: StoredOrder | undefined;
    now: Date;
    channel: IntakeChannel;
  },
): Promise<Accepted> {
  if (document.kind === "refused") return refuseWith(document.problems);
  if (!stored)
    return refuseWith([
      `There is no order with the PO number ${document.poNumber} here. If it comes in later, add this file again after it.`,
    ]);
  if (document.kind === "order") {
    const next = document.order;
    // Compared with the one here as that came in, not as a user corrected it.
    return fingerprintOrder(next) === stored.fingerprint
      ? { result: "same" }
      : wait(ctx, tx, { stored, next, now });
  }
  const { lastChange } = stored.content;
  if (document.change && lastChange && isOlderChange(document.change, lastChange))
    return refuseWith([olderSentence(document, lastChange)]);
  if (document.kind === "change") {
    // The retailer changes what it said last, whether a user has answered that or not.
    const next = applyChange(stored.waiting ?? stored.content, document);
    // A change that deletes every line is a cancellation.
    if (next.lines.length > 0) {
      const problems = checkOrder(next);
      if (problems.length > 0) return refuseWith(problems);
      await noteChange(tx, stored, document.change);
      if (fingerprintOrder(next) !== fingerprintOrder(stored.content))
        return wait(ctx, tx, { stored, next, now });
      if (stored.waiting) await changeWaiting(ctx, tx, stored, null);
      return { result: "same" };
    }
  }
  // A repeated cancellation undoes nothing that came in since.
  if (stored.waiting && isRepeated(ctx, stored, document)) return { result: "waiting" };
  await noteChange(tx, stored, document.change);
  // A cancellation replaces the change that waits.
  if (stored.waiting) await changeWaiting(ctx, tx, stored, null);
  return cancel(ctx, tx, { stored, channel });
}

/** Whether a cancellation by the retailer has the number and day of the one that canceled an order. */
const isRepeated = (ctx: OrdersCtx, stored: StoredOrder, { change }: { change?: ChangeNumber }): boolean =>
  (stored.cancellation_asked_at !== null || stored.cancelled_by === byRetailer(ctx, stored).by) &&
  // A cancellation by an 850 or XML is no change, and may be a second one.
  change !== undefined &&
  isDeepStrictEqual(change, stored.content.lastChange ?? UNNUMBERED);

/** Keeps the number and day of the newest change, by which an older one is known. */
async function noteChange(tx: Db, stored: StoredOrder, { number, date }: ChangeNumber = UNNUMBERED) {
  const before = stored.content.lastChange ?? UNNUMBERED;
  const lastChange = { number: number || before.number, date: date || before.date };
  if (isDeepStrictEqual(lastChange, before)) return;
  const content = { ...stored.content, lastChange };
  await changeOrder(tx, stored, { content: toJson(content) });
  Object.assign(stored, { content });
}

const UNNUMBERED: ChangeNumber = { number: "", date: "" };

function olderSentence(
  { kind, poNumber, change }: Extract<OfOrder, { change?: ChangeNumber }>,
  lastChange: ChangeNumber,
): string {
  const name = ({ number, date }: ChangeNumber) =>
    [number && `number ${number}`, date && `of ${date}`].filter(Boolean).join(" ");
  return `This ${kind} of PO # ${poNumber} (${change && name(change)}) is older than one that came in before it (${name(lastChange)}), so it isn't used. Ask the retailer whether it counts.`;
}

const refuseWith = (problems: readonly string[]): Accepted => ({ result: "refused", problems });

async function cancel(
  ctx: OrdersCtx,
  tx: Db,
  { stored, channel }: { stored: StoredOrder; channel: IntakeChannel },
): Promise<Accepted> {
  if (stored.state === "cancelled") return { result: "same" };
  if (stored.state === "open") {
    stored.state = await cancelLocked(ctx, tx, stored, byRetailer(ctx, stored));
    if (stored.state === "cancelled") return { result: "cancelled" };
  }
  if (stored.cancellation_asked_at) return { result: "void_first" };
  const { realm_id: realmId, id: orderId, partner, po_number: po } = stored;
  stored.cancellation_asked_at = ctx.clock.now();
  await changeOrder(tx, stored, { cancellation_asked_at: stored.cancellation_asked_at });
  await releaseInvoices(ctx, tx, { realmId, orderId });
  // No user sees what a folder's file says.
  if (channel === "folder") await mailMessage(ctx, tx, { realmId, partner, po, sentences: [ORDER_CANCELED] });
  return { result: "void_first" };
}

/** Lets another order wait for a user; the same one again changes nothing. */
async function wait(
  ctx: OrdersCtx,
  tx: Db,
  { stored, next, now }: { stored: StoredOrder; next: Order; now: Date },
): Promise<Accepted> {
  const fingerprint = fingerprintOrder(next);
  if (fingerprint !== stored.waiting_fingerprint)
    await changeWaiting(ctx, tx, stored, {
      waiting: next,
      waiting_fingerprint: fingerprint,
      waiting_at: now,
    });
  return { result: "waiting" };
}

async function changeWaiting(
  ctx: OrdersCtx,
  tx: Db,
  stored: StoredOrder,
  change: Pick<StoredOrder, "waiting" | "waiting_fingerprint" | "waiting_at"> | null,
): Promise<void> {
  const changed = change ?? { waiting: null, waiting_fingerprint: null, waiting_at: null };
  await changeOrder(tx, stored, { ...changed, waiting: changed.waiting && toJson(changed.waiting) });
  // The same file may have the next change.
  Object.assign(stored, changed);
  // The invoices of an order whose prices may change don't leave.
  await releaseInvoices(ctx, tx, { realmId: stored.realm_id, orderId: stored.id });
}
