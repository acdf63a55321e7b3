import { findContacts } from "#features/companies/index.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { rejectNotice } from "#features/orders/notices-out/answer-notice.ts";
import {
  addMessage,
  findByWords,
  lockByNumber,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import { findRetailerName } from "#features/orders/partners/partners.ts";
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
  const notice = await findSubject(tx, { realmId, partner, message });
  const orders = await findOrdersByNumber(tx, realmId, { partner, poNumber: message.poNumber });
  const subject = notice ?? (orders.length === 1 ? orders[0] : undefined);
  const po = subject?.po_number ?? message.poNumber;
  const result = { po_number: po, problems: [...message.sentences] };
  const isNew = await addMessage(tx, {
    realm_id: realmId,
    id: ctx.ids.uuid(),
    order_id: notice?.order_id ?? subject?.id ?? null,
    notice_id: notice?.id ?? null,
    partner,
    document: message.document,
    source: message.source,
    meaning: message.meaning,
    sentences: message.sentences,
    received_at: ctx.clock.now(),
  });
  if (!isNew) return { ...result, result: "same" };
  if (message.meaning === "refused" && notice && OPEN.has(notice.state))
    await rejectNotice(ctx, tx, notice, message.sentences);
  else if (message.meaning !== "note") await mail(ctx, tx, { realmId, partner, po, message });
  return { ...result, result: "answered" };
}

/** States of a notice that the retailer can still refuse. */
const OPEN: ReadonlySet<StoredNotice["state"]> = new Set(["pending", "sent", "accepted"]);

async function mail(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, partner, po, message: { sentences } }: Received & { po: string },
): Promise<void> {
  const { company, recipients } = await findContacts(tx, realmId);
  const params = { company, retailer: findRetailerName(ctx, partner), po, sentences };
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "retailer_message", realmId, recipient, params });
}

/** The notice that a message is about: by its control number, by the number of its invoice, else by the words of a text. */
async function findSubject(
  tx: Db,
  { realmId, partner, message: { about, poNumber } }: Received,
): Promise<StoredNotice | undefined> {
  const { controlNumber, documentType, invoiceNumber, words } = about;
  if (controlNumber !== null) {
    const found = await lockByNumber(tx, realmId, { partner, controlNumber });
    if (found && (documentType === "" || documentType === found.document)) return found;
  }
  const named = [invoiceNumber, poNumber, ...words].filter((word) => word !== "");
  const found = await findByWords(tx, realmId, { partner, words: named });
  const isInvoice = ({ facts }: StoredNotice, numbers: readonly string[]) =>
    "invoice" in facts && numbers.includes(facts.invoice.number);
  return (
    found.find((notice) => isInvoice(notice, invoiceNumber === "" ? words : [invoiceNumber])) ??
    // A message about an invoice that isn't here stands at its order.
    (invoiceNumber === "" ? found.find(({ document }) => document === documentType) : undefined)
  );
}
