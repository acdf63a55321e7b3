import { findContacts } from "#features/companies/index.ts";
import { addEvent } from "#features/programs/index.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { releaseInvoices } from "#features/orders/notices-out/release-invoices.ts";
import { changeNotice, lockByNumber, type StoredNotice } from "#features/orders/notices-out/store.ts";
import { findRetailerName } from "#features/orders/partners/partners.ts";
import { hasLeft } from "#features/orders/promises.ts";
import type { NoticeDocument } from "#features/orders/notices-out/types.ts";
import { SET_NUMBER } from "#features/orders/notices-out/write-notice.ts";
import type { NoticeAnswer } from "#features/orders/types.ts";
import { FUNCTIONAL_IDS } from "#formats/x12/transaction-set.ts";
import type { Db } from "#platform/db/connect.ts";

/** Records a retailer's answer to a notice. The first one counts: a repeated one changes nothing. */
export async function answerNotice(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, partner, answer }: { realmId: string; partner: string; answer: NoticeAnswer },
): Promise<OrderDocumentResult> {
  const { controlNumber, functionalId, sets, isAccepted, problems } = answer;
  const notice = await lockByNumber(tx, realmId, { partner, controlNumber });
  // A group of ours has one document; an answer that names another one is about another group with the number.
  const isOurs = (document: NoticeDocument) =>
    functionalId === FUNCTIONAL_IDS[document] &&
    sets.every((set) => set.type === document && set.controlNumber === SET_NUMBER);
  if (!notice || !isOurs(notice.document)) {
    const named = sets.map((set) => `, document ${set.type} ${set.controlNumber}`).join("");
    const group = `${functionalId} ${controlNumber}${named}`;
    const left = !notice && (await hasLeft(ctx.journal, { realm: realmId, partner, number: controlNumber }));
    const unknown = left
      ? `The notice with the group ${group} left before the database was restored, and its labels or its canceled order aren't here.`
      : `No notice with the group ${group} was sent from here.`;
    return refuseAnswer(unknown);
  }
  const about = { po_number: notice.po_number, problems: [...problems] };
  if (notice.state !== "pending" && notice.state !== "sent") return { ...about, result: "same" };
  if (isAccepted) {
    const id = { realmId, id: notice.id };
    await changeNotice(tx, id, { state: "accepted", ended_at: ctx.clock.now(), problems });
    // It may be booked wrongly, and nothing else says so.
    if (problems.length > 0)
      await mailMessage(ctx, tx, { realmId, partner, po: notice.po_number, sentences: problems });
    if (notice.kind === "invoice")
      await addEvent(ctx, tx, { realmId, event: "order.accepted", data: nameDocument(notice) });
    await releaseInvoices(ctx, tx, { realmId, orderId: notice.order_id });
  } else await rejectNotice(ctx, tx, notice, problems);
  return { ...about, result: "answered" };
}

const refuseAnswer = (problem: string): OrderDocumentResult => ({
  po_number: "",
  result: "refused",
  problems: [problem],
});

type Mailed = { realmId: string; partner: string; po: string; sentences: readonly string[] };

/** Mails the company's admin what a retailer says about a document of ours. */
export async function mailMessage(
  ctx: OrdersCtx,
  tx: Db,
  { realmId, partner, po, sentences }: Mailed,
): Promise<void> {
  const { company, recipients } = await findContacts(tx, realmId);
  const params = { company, retailer: findRetailerName(ctx, partner), po, sentences };
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "retailer_message", realmId, recipient, params });
}

/** Marks a notice as rejected and mails that to the company's admin. */
export async function rejectNotice(
  ctx: OrdersCtx,
  tx: Db,
  notice: StoredNotice,
  problems: readonly string[],
): Promise<void> {
  const { realm_id: realmId, id, order_id: orderId, kind, po_number: poNumber } = notice;
  await changeNotice(tx, { realmId, id }, { state: "rejected", ended_at: ctx.clock.now(), problems });
  // The invoice of a rejected ship notice stays here.
  if (kind === "ship") await releaseInvoices(ctx, tx, { realmId, orderId });
  const { company, recipients } = await findContacts(tx, realmId);
  const retailer = findRetailerName(ctx, notice.partner);
  const params = { company, retailer, notice: kind, po: poNumber, problem: problems[0] ?? "" };
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "order_notice_rejected", realmId, recipient, params });
  const data = { ...nameDocument(notice), problems: [...problems] };
  await addEvent(ctx, tx, { realmId, event: "order.refused", data });
}

const nameDocument = ({ order_id, po_number, document, facts }: StoredNotice) => ({
  order_id,
  po_number,
  document,
  ...("invoice" in facts && { invoice_number: facts.invoice.number }),
});
