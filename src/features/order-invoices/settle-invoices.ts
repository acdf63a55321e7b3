import { toBooksInvoice } from "#features/books/index.ts";
import { addEvent } from "#features/programs/index.ts";
import { findPreparedOutcomes, isUndoOpen, type PreparedOutcome } from "#features/invoices/index.ts";
import { readBooked, toBooked } from "#features/order-invoices/read-booked.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import {
  changeInvoice,
  listUnsettled,
  lockInvoices,
  type StoredInvoice,
} from "#features/order-invoices/store.ts";
import { markInvoiceGone, lockOrder, planInvoiceDocument } from "#features/orders/index.ts";
import { UNDONE, VOIDED } from "#features/order-invoices/sentences.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { Db } from "#platform/db/connect.ts";
import { decimalToCents } from "#platform/money.ts";

/** Records what became of a company's invoices that were being posted or undone. */
export async function settleInvoices(ctx: OrderInvoicesCtx, realmId: string): Promise<void> {
  const open = await listUnsettled(ctx.db, realmId);
  const uploads = [...new Set(open.flatMap(({ upload_id: id }) => id ?? []))];
  const outcomes = await findPreparedOutcomes(ctx.db, realmId, uploads);
  const findOutcome = (invoice: StoredInvoice) =>
    outcomes.find(
      ({ uploadId, row }) => uploadId === invoice.upload_id && (row === null || row === invoice.first_row),
    );
  const posted = open.filter((invoice) => findOutcome(invoice)?.state === "posted");
  const stored = await readBooked(
    ctx,
    realmId,
    posted.flatMap((invoice) => findOutcome(invoice)?.qboId ?? []),
  );
  for (const invoice of open) {
    const outcome = findOutcome(invoice);
    if (outcome?.state === "posted") await settlePosted(ctx, invoice, stored.get(outcome.qboId ?? ""));
    else if (outcome) await settleLeft(ctx, invoice, outcome);
  }
}

/** Locks an invoice that is being posted or undone, and its order before it. */
async function lockUnsettled(tx: Db, { realm_id: realmId, id, order_id: orderId }: StoredInvoice) {
  const order = await lockOrder(tx, realmId, orderId);
  const [invoice] = await lockInvoices(tx, realmId, [id]);
  return invoice && (invoice.state === "posting" || invoice.undo_asked_at) ? { order, invoice } : null;
}

/** QuickBooks' stored response is what the retailer's document says, unless an undo takes it back. */
async function settlePosted(
  ctx: OrderInvoicesCtx,
  known: StoredInvoice,
  stored: Invoice | undefined,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockUnsettled(tx, known);
    if (!locked) return;
    const { order, invoice } = locked;
    const { realm_id: realmId, upload_id: uploadId } = invoice;
    if (invoice.undo_asked_at && uploadId && (await isUndoOpen(tx, realmId, uploadId))) return;
    if (!stored) {
      // Others deleted it. What the undo found so, `recheckBooked` finds too.
      if (invoice.state === "posting") await unbook(tx, invoice, VOIDED);
      else await changeInvoice(tx, invoice, { undo_asked_at: null });
      return;
    }
    const state = invoice.state === "linked" ? "linked" : "posted";
    await recordBooked(ctx, tx, { order, invoice, stored, state });
    if (invoice.state !== "posting") return;
    const data = {
      order_id: order.id,
      po_number: order.po_number,
      invoice_id: stored.Id,
      invoice_number: stored.DocNumber ?? null,
      total: (decimalToCents(stored.TotalAmt) / 100).toFixed(2),
    };
    await addEvent(ctx, tx, { realmId, event: "invoice.posted", data });
  });
}

type Booked = {
  order: Parameters<typeof planInvoiceDocument>[2];
  invoice: StoredInvoice;
  stored: Invoice;
  state: StoredInvoice["state"];
};

/** Records that an invoice of the books bills an order: its packages are linked to it, and the retailer's document is planned. */
export async function recordBooked(
  ctx: OrderInvoicesCtx,
  tx: Db,
  { order, invoice, stored, state }: Booked,
): Promise<void> {
  await changeInvoice(tx, invoice, {
    state,
    theirs: null,
    waits: [],
    qbo_id: stored.Id,
    qbo_number: stored.DocNumber ?? null,
    qbo_total_cents: decimalToCents(stored.TotalAmt),
    posted_at: invoice.posted_at ?? ctx.clock.now(),
    undo_asked_at: null,
    problem: "",
  });
  const { realm_id: realmId, shipment_id: shipmentId, draft } = invoice;
  await ctx.onBooked(tx, {
    realmId,
    invoice: toBooksInvoice(stored),
    trackingNumbers: draft.trackingNumbers,
  });
  await planInvoiceDocument(ctx, tx, order, { shipmentId, invoice: toBooked(draft, stored) });
}

async function settleLeft(
  { db }: OrderInvoicesCtx,
  known: StoredInvoice,
  { state, problem }: PreparedOutcome,
): Promise<void> {
  const isOver = ["rejected", "skipped", "stopped", "undone"].includes(state);
  if (!isOver && state !== "unresolved") return;
  await db.transaction().execute(async (tx) => {
    const invoice = (await lockUnsettled(tx, known))?.invoice;
    if (!invoice) return;
    if (isOver) await unbook(tx, invoice, state === "undone" ? UNDONE : problem);
    else if (invoice.problem !== problem) await changeInvoice(tx, invoice, { problem });
  });
}

/** Makes a draft again of an invoice that is not in the books. @param problem why, in one sentence */
export async function unbook(tx: Db, invoice: StoredInvoice, problem: string): Promise<void> {
  const { realm_id: realmId, qbo_id: invoiceId } = invoice;
  if (invoiceId !== null) await markInvoiceGone(tx, { realmId, invoiceId });
  await changeInvoice(tx, invoice, {
    state: "draft",
    problem,
    upload_id: null,
    undo_asked_at: null,
    qbo_id: null,
    qbo_number: null,
    qbo_total_cents: null,
    posted_at: null,
  });
}
