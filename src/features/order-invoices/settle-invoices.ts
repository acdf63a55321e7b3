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
import { lockOrder, planInvoiceDocument } from "#features/orders/index.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { decimalToCents } from "#platform/money.ts";

/** Records what became of a company's invoices that were being posted or undone. */
export async function settleInvoices(ctx: OrderInvoicesCtx, realmId: string): Promise<void> {
  const open = await listUnsettled(ctx.db, realmId);
  const uploads = [...new Set(open.flatMap(({ upload_id: id }) => id ?? []))];
  const outcomes = await findPreparedOutcomes(ctx.db, realmId, uploads);
  const findOutcome = (invoice: StoredInvoice) =>
    outcomes.find(({ uploadId, row }) => uploadId === invoice.upload_id && row === invoice.first_row);
  const posted = open.filter((invoice) => findOutcome(invoice)?.state === "posted");
  const stored = await readBooked(
    ctx,
    realmId,
    posted.flatMap((invoice) => findOutcome(invoice)?.qboId ?? []),
  );
  for (const invoice of open) {
    const outcome = findOutcome(invoice);
    if (!outcome) continue;
    const inBooks = stored.get(outcome.qboId ?? "");
    if (invoice.state === "posted") await settleUndo(ctx, invoice, { outcome, inBooks });
    else if (outcome.state === "posted") await settlePosted(ctx, invoice, inBooks);
    else await settleLeft(ctx, invoice, outcome);
  }
}

/** The stored answer of QuickBooks is what the retailer's document says. */
async function settlePosted(
  ctx: OrderInvoicesCtx,
  { realm_id: realmId, id, order_id: orderId }: StoredInvoice,
  stored: Invoice | undefined,
): Promise<void> {
  if (!stored) return;
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, orderId);
    const [invoice] = await lockInvoices(tx, realmId, [id]);
    if (invoice?.state !== "posting") return;
    await recordBooked(ctx, tx, { order, invoice, stored, state: "posted" });
    const data = {
      order_id: orderId,
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
  tx: Parameters<typeof planInvoiceDocument>[1],
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
  ctx: OrderInvoicesCtx,
  { realm_id: realmId, id }: StoredInvoice,
  outcome: PreparedOutcome,
) {
  const isOver = ["rejected", "skipped", "stopped", "undone"].includes(outcome.state);
  if (!isOver && outcome.state !== "unresolved") return;
  await ctx.db.transaction().execute(async (tx) => {
    const [invoice] = await lockInvoices(tx, realmId, [id]);
    if (invoice?.state !== "posting" || invoice.problem === outcome.problem) return;
    await changeInvoice(tx, invoice, { problem: outcome.problem, ...(isOver && { state: "draft" }) });
  });
}

/** An invoice that an undo took out of the books is a draft again; the document of one that stays is planned again. */
async function settleUndo(
  ctx: OrderInvoicesCtx,
  { realm_id: realmId, id, order_id: orderId, upload_id: uploadId }: StoredInvoice,
  { outcome, inBooks: stored }: { outcome: PreparedOutcome; inBooks: Invoice | undefined },
): Promise<void> {
  if (outcome.state === "undoing" || !uploadId || (await isUndoOpen(ctx.db, realmId, uploadId))) return;
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, orderId);
    const [invoice] = await lockInvoices(tx, realmId, [id]);
    if (!invoice?.undo_asked_at) return;
    if (outcome.state !== "undone") {
      if (stored) await recordBooked(ctx, tx, { order, invoice, stored, state: "posted" });
      await changeInvoice(tx, invoice, { undo_asked_at: null });
      return;
    }
    await changeInvoice(tx, invoice, {
      state: "draft",
      undo_asked_at: null,
      problem: "Its invoice was undone. Post it again if you still want to bill it.",
      qbo_id: null,
      qbo_number: null,
      qbo_total_cents: null,
      posted_at: null,
    });
  });
}
