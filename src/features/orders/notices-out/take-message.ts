import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { mailMessage, rejectNotice } from "#features/orders/notices-out/answer-notice.ts";
import {
  addMessage,
  findNoticesByNumber,
  lockByNumber,
  lockNotices,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import { unclearSubject } from "#features/orders/sentences.ts";
import { findOrdersByNumber } from "#features/orders/store.ts";
import type { RetailerMessage } from "#features/orders/types.ts";
import type { Db } from "#platform/db/connect.ts";

type Received = { realmId: string; partner: string; message: RetailerMessage };

/**
 * Stores a retailer's message at the document and order that it names, once. One that refuses the document rejects it; the
 * company's admin is mailed of that, and of what should be read.
 */
export async function takeMessage(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, partner, message }: Received,
): Promise<OrderDocumentResult> {
  const {
    notice,
    orderId,
    po,
    problems,
    others = [],
  } = await findSubject(tx, {
    realmId,
    partner,
    message,
  });
  const sentences = [...message.sentences, ...problems];
  const result = { po_number: po, problems: sentences };
  const { document, source, meaning } = message;
  const add = (place: { order_id: string | null; notice_id: string | null; source: string }) =>
    addMessage(tx, {
      realm_id: realmId,
      id: ctx.ids.uuid(),
      partner,
      document,
      meaning,
      sentences,
      received_at: ctx.clock.now(),
      ...place,
    });
  if (!(await add({ order_id: orderId, notice_id: notice?.id ?? null, source })))
    return { ...result, result: "same" };
  for (const [at, other] of others.entries())
    await add({ order_id: other.order_id, notice_id: other.id, source: `${source}/${at + 1}` });
  if (message.meaning === "refused" && notice && isOpen(notice, message))
    await rejectNotice(ctx, tx, notice, message.sentences);
  else if (message.meaning !== "note") await mailMessage(ctx, tx, { realmId, partner, po, sentences });
  return { ...result, result: "answered" };
}

/** Whether the retailer can still refuse a notice so: it may have it, and its 997 accepted more than the transmission, which is all that a TA1 answers. */
const isOpen = ({ state, tried_at: tried }: StoredNotice, { document }: RetailerMessage): boolean =>
  (state === "pending" && tried !== null) || state === "sent" || (state === "accepted" && document !== "TA1");

type Named = {
  notice?: StoredNotice | undefined;
  orderId: string | null;
  po: string;
  problems: readonly string[];
  /** Documents of the other invoices that a text names. */
  others?: Found;
};

/**
 * The notice that a message is about: by its control number, else by the number of its invoice. The PO number, and words of a text,
 * name a document only if it is the only one of its kind: an order may have several, and so may several stores under one number.
 */
async function findSubject(
  tx: Db,
  { realmId, partner, message: { about, poNumber } }: Received,
): Promise<Named> {
  const { controlNumber, documentType } = about;
  const ofNotice = (notice: StoredNotice): Named => ({
    notice,
    orderId: notice.order_id,
    po: notice.po_number,
    problems: [],
  });
  if (controlNumber !== null) {
    const found = await lockByNumber(tx, realmId, { partner, controlNumber });
    if (found && (documentType === "" || documentType === found.document)) return ofNotice(found);
  }
  const { found, fitting, others } = await findDocuments(tx, { realmId, partner, about, poNumber });
  const [notice] = found ? await lockNotices(tx, realmId, [found.id]) : [];
  if (notice) return { ...ofNotice(notice), others };
  const orders = await findOrdersByNumber(tx, realmId, { partner, poNumber });
  const ids = new Set([...orders.map(({ id }) => id), ...fitting.map(({ order_id: id }) => id)]);
  const [orderId = null] = ids.size === 1 ? ids : [];
  const po = poNumber || (orderId === null ? "" : (fitting[0]?.po_number ?? ""));
  const problems = fitting.length > 1 ? [unclearSubject(po, documentType, fitting.length)] : [];
  return { orderId, po, problems };
}

type About = Omit<Received, "message"> & Pick<RetailerMessage, "about" | "poNumber">;
type Found = Awaited<ReturnType<typeof findNoticesByNumber>>;

/** The document that a message names, and those that it may mean; one about an invoice that isn't here means no other. */
async function findDocuments(
  tx: Db,
  { realmId, partner, about: { documentType, invoiceNumber, words }, poNumber }: About,
): Promise<{ found: Found[number] | undefined; fitting: Found; others: Found }> {
  const numbers = invoiceNumber === "" ? words : [invoiceNumber];
  const invoices = await findNoticesByNumber(tx, realmId, { partner, numbers });
  const invoice = invoices.find(({ po_number: po }) => po === poNumber) ?? invoices[0];
  if (invoiceNumber !== "")
    return { found: invoice, fitting: [], others: invoices.filter((each) => each !== invoice) };
  const named = invoices.filter(isNumberedByPo).map(({ po_number: po }) => po);
  const poNumbers = [poNumber, ...words, ...named].filter((word) => word !== "");
  // A text is about an invoice unless it names another document.
  const document = documentType === "" && words.length > 0 ? null : documentType;
  const fitting = await findNoticesByNumber(tx, realmId, { partner, document, poNumbers });
  // A word that is the PO number too may mean any of its invoices.
  const [found, ...others] = invoices.filter(
    (each) =>
      !isNumberedByPo(each) ||
      fitting.every(({ id, po_number: po }) => id === each.id || po !== each.po_number),
  );
  if (found) return { found, fitting: [], others };
  return { found: fitting.length === 1 ? fitting[0] : undefined, fitting, others: [] };
}

/** Whether an invoice has the number of its purchase order, as the first one of each has. */
const isNumberedByPo = ({ number, po_number: po }: Found[number]): boolean =>
  number?.replace(/^0+/, "") === po.replace(/^0+/, "");
