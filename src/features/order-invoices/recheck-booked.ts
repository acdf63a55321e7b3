import { isDeepStrictEqual } from "node:util";
import { isReadingFailure, type ChangedInvoices } from "#features/books/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { readBooked, toBooked } from "#features/order-invoices/read-booked.ts";
import { changedSentence, VOIDED } from "#features/order-invoices/sentences.ts";
import { refreshDrafts } from "#features/order-invoices/refresh-drafts.ts";
import { recordBooked, unbook } from "#features/order-invoices/settle-invoices.ts";
import {
  changeInvoice,
  findBooked,
  findInvoices,
  lockInvoices,
  type StoredInvoice,
} from "#features/order-invoices/store.ts";
import {
  findInvoiceNotices,
  findSentInvoice,
  lockOrder,
  withdrawInvoiceDocument,
} from "#features/orders/index.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import { centsText } from "#platform/money.ts";

/** Compares the invoices of orders with the books. @throws AppError 409 or 503 if the books can't be read */
export async function recheckInvoices(
  ctx: OrderInvoicesCtx,
  realmId: string,
  orderIds: readonly string[],
): Promise<void> {
  await recheckBooked(ctx, realmId, await findInvoices(ctx.db, realmId, orderIds));
}

/** Compares the invoices of orders among those of the books that changed; what can't be read now is compared when its order is opened. */
export async function noteChanged(
  ctx: OrderInvoicesCtx,
  realmId: string,
  { invoices, deleted }: ChangedInvoices,
): Promise<void> {
  const ids = [...invoices.map(({ qboId }) => qboId), ...deleted];
  try {
    await recheckBooked(ctx, realmId, await findBooked(ctx.db, realmId, ids));
  } catch (error) {
    if (!isReadingFailure(error)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "Changed invoices of orders could not be read");
  }
}

/**
 * Compares the invoices of an order with the books, where users may have edited or voided them. A document that has not left follows
 * the books, and a voided invoice is a draft again; about one that has, a user must know: its invoice says so until it is restored.
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function recheckBooked(
  ctx: OrderInvoicesCtx,
  realmId: string,
  invoices: readonly StoredInvoice[],
): Promise<void> {
  const booked = invoices.filter(({ undo_asked_at: asked }) => asked === null);
  const inBooks = await readBooked(
    ctx,
    realmId,
    booked.flatMap(({ qbo_id: invoiceId }) => invoiceId ?? []),
  );
  const corrected = new Set<string>();
  for (const {
    id,
    order_id: orderId,
    qbo_id: invoiceId,
    qbo_number: number,
    qbo_total_cents: cents,
  } of booked) {
    if (invoiceId === null) continue;
    const found = inBooks.get(invoiceId);
    const stored = found && !isVoided(found) ? found : undefined;
    await ctx.db.transaction().execute(async (tx) => {
      const order = await lockOrder(tx, realmId, orderId);
      const [invoice] = await lockInvoices(tx, realmId, [id]);
      if (!invoice || invoice.qbo_id !== invoiceId || invoice.undo_asked_at) return;
      const documents = await findInvoiceNotices(tx, realmId, { invoiceId });
      const now = stored && toBooked(invoice.draft, stored);
      const sent = findSentInvoice(documents);
      if (sent) {
        const problem = changedSentence(sent, now);
        const answers = { ...invoice.answers, handled: undefined };
        if (problem !== invoice.problem) await changeInvoice(tx, invoice, { problem, answers });
      } else if (stored && now) {
        const isSame = now.number === (number ?? "") && now.total === centsText(Number(cents));
        const planned = documents.find(({ state }) => state === "pending")?.facts;
        const isPlanned = !planned || ("invoice" in planned && isDeepStrictEqual(planned.invoice, now));
        if (isSame && isPlanned) return;
        await recordBooked(ctx, tx, { order, invoice, stored, state: invoice.state });
        corrected.add(orderId);
      } else {
        await withdrawInvoiceDocument(tx, { realmId, invoiceId }, ctx.clock.now());
        await unbook(tx, invoice, VOIDED);
      }
    });
  }
  // If an order's labels were voided, its next shipment may have waited for that.
  await refreshDrafts(ctx, realmId, [...corrected]);
}
