import { isDeepStrictEqual } from "node:util";
import { findInvoicesOfPo } from "#features/books/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { hasLeft, refreshDrafts, type Billed } from "#features/order-invoices/refresh-drafts.ts";
import {
  chooseTheirs,
  findFirstDay,
  findOrderHold,
  listWaits,
} from "#features/order-invoices/rules-draft.ts";
import { waitSentence } from "#features/order-invoices/sentences.ts";
import { changeInvoice, findBookedIds, type StoredInvoice } from "#features/order-invoices/store.ts";
import { conflict } from "#platform/errors.ts";
import { toJson } from "#platform/db/json.ts";

/**
 * Looks in the books for the invoice of a draft that can't be posted from here, which a user may have created there.
 * @throws AppError 409 if the books have none, or can't be read, or the draft is to wait first; 503
 */
export async function findInBooks(
  ctx: OrderInvoicesCtx,
  { realm_id: realmId, id, order_id: orderId, po_number: po }: StoredInvoice,
): Promise<void> {
  for (const bill of await refreshDrafts(ctx, realmId, [orderId])) {
    const invoices = bill.invoices.filter((invoice) => invoice.id === id);
    const [hold] = invoices.flatMap(
      (invoice) => findHold(bill, invoice) ?? (invoice.draft.customer ? [] : ("customer" as const)),
    );
    if (hold) throw conflict("invoice_waits", waitSentence(hold, po));
    await findTheirs(ctx, realmId, [{ ...bill, invoices }], { isAsked: true });
    if (invoices.every(({ theirs }) => !theirs)) throw conflict("not_in_books", notInBooks(po));
  }
}

const notInBooks = (po: string) =>
  `QuickBooks has no invoice with the PO number ${po} or a tracking number of what is billed here. Create it there with that PO number, then search again.`;

/**
 * Looks for invoices in the books that have the PO number of an order and that nothing here made: a user says what they are. QuickBooks
 * meters that, so it isn't asked about what waits for something else anyway: one that waits for its currency may be any
 * customer's, and is only looked for where a user asks (`isAsked`).
 */
export async function findTheirs(
  ctx: OrderInvoicesCtx,
  realmId: string,
  billed: Billed[],
  { isAsked = false } = {},
): Promise<void> {
  const open = billed.flatMap((bill) =>
    bill.invoices.flatMap((invoice) => {
      const { customer } = invoice.draft;
      if (invoice.state !== "draft" || !customer || findHold(bill, invoice)) return [];
      if (!isAsked && invoice.waits.includes("currency")) return [];
      return [{ order: bill.order, parts: bill.parts, invoice, customer }];
    }),
  );
  const found = await findInvoicesOfPo(ctx, {
    realmId,
    orders: open.map(({ order, parts, invoice, customer }) => ({
      poNumber: order.po_number,
      // It may have been created for another customer.
      customer: invoice.waits.includes("currency") ? null : customer.id,
      since: findFirstDay(order, invoice.draft),
      trackingNumbers: parts.flatMap(({ trackingNumbers }) => trackingNumbers),
    })),
  });
  const ours = await findBookedIds(
    ctx.db,
    realmId,
    found.flat().map(({ id }) => id),
  );
  for (const [at, { invoice }] of open.entries()) {
    const others = new Set(invoice.answers.others ?? []);
    const free = (found[at] ?? []).filter(({ id }) => !ours.has(id) && !others.has(id));
    const theirs = chooseTheirs(free, invoice.draft);
    if (isDeepStrictEqual(theirs, invoice.theirs)) continue;
    const waits = listWaits(invoice.draft, { ...invoice.answers, theirs });
    await changeInvoice(ctx.db, invoice, { theirs: theirs && toJson(theirs), waits });
    Object.assign(invoice, { theirs, waits });
  }
}

/** Why an invoice waits, whatever its draft says. */
export const findHold = (bill: Billed, invoice: StoredInvoice) =>
  findOrderHold(bill.order) ?? (hasLeft(bill, invoice) ? undefined : "not_left");
