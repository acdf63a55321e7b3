import { isDeepStrictEqual } from "node:util";
import type { Audited } from "#features/audit/index.ts";
import { readEntries } from "#features/books/index.ts";
import type { InvoiceAnswer, MatchKind } from "#features/order-invoices/contract.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { findInBooks } from "#features/order-invoices/find-theirs.ts";
import { readBooked } from "#features/order-invoices/read-booked.ts";
import { refreshDrafts } from "#features/order-invoices/refresh-drafts.ts";
import { listWaits, type Answers, type Theirs } from "#features/order-invoices/rules-draft.ts";
import { findHeld, markAbout } from "#features/order-invoices/rules-about.ts";
import { asksHandled } from "#features/order-invoices/rules-thread.ts";
import { recordBooked } from "#features/order-invoices/settle-invoices.ts";
import {
  changeInvoice,
  findBookedIds,
  isBookedTwice,
  isPosting,
  listDraftedOrders,
  lockInvoices,
  saveMatch,
  saveSettings,
  type StoredInvoice,
} from "#features/order-invoices/store.ts";
import {
  changedSince,
  findInvoiceNotices,
  findPartner,
  lockOrder,
  noteEntered,
  promiseEntered,
  type StoredNotice,
} from "#features/orders/index.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { conflict, notFound } from "#platform/errors.ts";
import { decimalToCents } from "#platform/money.ts";

type Ctx = OrderInvoicesCtx & Audited;
type Answer = {
  id: string;
  answer: InvoiceAnswer;
  about: string;
  line?: string | undefined;
  by: string;
};

/**
 * Stores a user's answer to the question that a draft waits for, or that a change in the books was handled. Once an invoice of the
 * books is linked, no other draft is asked about it: `listUndrafted` finds those that were.
 * @throws AppError 404 for an unknown invoice; 409 for one that is no longer a draft or has no open question, or if what the question
 * is about changed since the user read it
 */
export async function answerInvoice(
  ctx: Ctx,
  realmId: string,
  { id, answer, about, line, by }: Answer,
): Promise<void> {
  const [known] = await ctx.db.transaction().execute((tx) => lockInvoices(tx, realmId, [id]));
  if (answer === "find" && known?.state === "draft") return findInBooks(ctx, known);
  const theirs = answer === "link" ? known?.theirs : null;
  const stored = theirs && (await readBooked(ctx, realmId, [theirs.id])).get(theirs.id);
  if (theirs && (!stored || isVoided(stored)))
    throw conflict("invoice_gone", "That invoice was voided or deleted in QuickBooks. Reload the page.");
  if (known && theirs && stored) await requireSame(ctx, known, { theirs, stored });
  const store = ctx.db.transaction().execute(async (tx) => {
    const order = known && (await lockOrder(tx, realmId, known.order_id));
    const [invoice] = await lockInvoices(tx, realmId, [id]);
    if (!invoice || !order) throw notFound("We can't find this order's invoice. Reload the page.");
    const documents = await findInvoiceNotices(tx, realmId, { orderId: order.id });
    if (about !== markAbout(invoice, findHeld(documents, invoice))) throw changedSince();
    const audited = {
      action: "orders.answer_invoice",
      ids: { order: order.id, invoice: id },
      after: { answer, line: line ?? "", po_number: order.po_number },
    } as const;
    if (answer === "handled" || answer === "portal") {
      const entered = await noteDone(ctx, tx, invoice, answer);
      await ctx.audit(tx, audited);
      return entered;
    }
    if (invoice.state !== "draft")
      throw conflict(
        "not_a_draft",
        `The invoice of PO # ${order.po_number} is posted or being posted. Reload the page.`,
      );
    if (answer === "link") {
      const isBooked = !stored || (await findBookedIds(tx, realmId, [stored.Id])).size > 0;
      if (isBooked || (await isPosting(tx, realmId, order.po_number))) throw notAsked();
      await recordBooked(ctx, tx, { order, invoice, stored, state: "linked" });
      await changeInvoice(tx, invoice, { posted_by: by, number: null });
      await ctx.audit(tx, {
        action: "orders.link_invoice",
        ids: { order: order.id, invoice: id },
        after: { qbo_id: stored.Id, po_number: order.po_number },
      });
      return undefined;
    }
    if (answer === "credited" && !invoice.waits.includes("credit")) throw notAsked();
    const { answers, theirs: open } = addAnswer(invoice, { answer, line });
    await changeInvoice(tx, invoice, {
      answers,
      theirs: open && JSON.stringify(open),
      waits: listWaits(invoice.draft, { ...answers, theirs: open }),
    });
    await ctx.audit(tx, audited);
    return undefined;
  });
  const entered = await store.catch((error: unknown) => {
    // If two orders are linked to it at the same instant, only one comes first.
    throw isBookedTwice(error) ? notAsked() : error;
  });
  if (entered) await promiseEntered(ctx.journal, entered, ctx.clock.now());
}

/** @throws AppError 409 if an invoice was edited in the books since a user was asked about it; the question is about it as it is now */
async function requireSame(
  { db }: Ctx,
  { realm_id: realmId, id }: StoredInvoice,
  { theirs, stored }: { theirs: Theirs; stored: Invoice },
): Promise<void> {
  const { DocNumber: number = "", TxnDate: date = "", TotalAmt: total } = stored;
  const now = { ...theirs, number, date, totalCents: decimalToCents(total) };
  if (isDeepStrictEqual(now, theirs)) return;
  await db.transaction().execute(async (tx) => {
    const [invoice] = await lockInvoices(tx, realmId, [id]);
    if (invoice && isDeepStrictEqual(invoice.theirs, theirs))
      await changeInvoice(tx, invoice, { theirs: toJson(now) });
  });
  throw changedSince();
}

/** Notes what a user did elsewhere about a posted invoice. @returns its document, if a user entered that in the portal */
async function noteDone(
  { clock }: Ctx,
  tx: Db,
  invoice: StoredInvoice,
  answer: "handled" | "portal",
): Promise<StoredNotice | undefined> {
  if (answer === "portal") {
    const named = { realmId: invoice.realm_id, invoiceId: invoice.qbo_id ?? "" };
    const entered = await noteEntered(tx, named, clock.now());
    if (!entered) throw notAsked();
    return entered;
  }
  if (!asksHandled(invoice)) throw notAsked();
  await changeInvoice(tx, invoice, { answers: { ...invoice.answers, handled: invoice.problem } });
  return undefined;
}

const notAsked = () =>
  conflict(
    "not_asked",
    "The invoice in QuickBooks already bills another shipment, or this question was answered. Reload the page.",
  );

/** The answers of a draft with one more, and the invoice in the books that is still asked about. */
function addAnswer(
  { answers, theirs, draft }: StoredInvoice,
  { answer, line }: Pick<Answer, "answer" | "line">,
): { answers: Answers; theirs: Theirs | null } {
  if (answer === "order_price" && line !== undefined)
    return { answers: { ...answers, price: [...(answers.price ?? []), line] }, theirs };
  if (answer === "credited") {
    const credited = (draft.overbilled ?? []).map(({ qboId, lines }) => ({ qboId, lines }));
    return { answers: { ...answers, credited: [...(answers.credited ?? []), ...credited] }, theirs };
  }
  if (answer !== "other" || !theirs) return { answers, theirs };
  return { answers: { ...answers, others: [...(answers.others ?? []), theirs.id] }, theirs: null };
}

type Match = { partner: string; kind: MatchKind; written: string; targetId: string; by: string };

/** Stores which entry of the books a retailer's name means, and updates the drafts that waited for it. @throws AppError 404 for an unknown retailer or entry */
export async function chooseMatch(
  ctx: Ctx,
  realmId: string,
  { partner, kind, written, targetId, by }: Match,
): Promise<{ name: string }> {
  const target = (await readEntries(ctx, realmId, kind)).find(({ id }) => id === targetId);
  if (!findPartner(ctx.partners, partner)) throw notFound("We can't find this retailer. Reload the page.");
  if (!target) throw notFound("That entry is no longer active in QuickBooks. Search again.");
  await ctx.db.transaction().execute(async (tx) => {
    await saveMatch(tx, realmId, { partner, kind, written, target, by, now: ctx.clock.now() });
    await ctx.audit(tx, {
      action: "orders.choose_match",
      after: { kind, text: written, target_name: target.name },
    });
  });
  await refreshDrafts(ctx, realmId, await listDraftedOrders(ctx.db, realmId, partner));
  return { name: target.name };
}

/** Turns posting without a click on or off, for all retailers. */
export async function changeSettings(
  ctx: Ctx,
  realmId: string,
  { postsWhenShipped, by }: { postsWhenShipped: boolean; by: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const row = { posts_when_shipped: postsWhenShipped, changed_by: by, changed_at: ctx.clock.now() };
    for (const { id: partner } of ctx.partners)
      await saveSettings(tx, { realm_id: realmId, partner, ...row });
    await ctx.audit(tx, {
      action: "orders.change_invoice_settings",
      after: { posts_when_shipped: postsWhenShipped },
    });
  });
}
