import { findTimeZone } from "#features/companies/index.ts";
import type { OrderInvoice, ThreadView } from "#features/order-invoices/contract.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { sayIn } from "#features/order-invoices/list-threads.ts";
import { hasLeft, refreshDrafts, type Billed } from "#features/order-invoices/refresh-drafts.ts";
import { findCharge, findOrderHold, isAboveOrder, isCredited } from "#features/order-invoices/rules-draft.ts";
import { findUnbilledCharges } from "#features/order-invoices/rules-charged.ts";
import { findExcess, listBilled } from "#features/order-invoices/rules-excess.ts";
import { findHeld, markAbout } from "#features/order-invoices/rules-about.ts";
import { asksHandled, toThread } from "#features/order-invoices/rules-thread.ts";
import { recheckBooked } from "#features/order-invoices/recheck-booked.ts";
import { noteChoice, unbilledSentence, voidedSentence } from "#features/order-invoices/sentences.ts";
import { settleInvoices } from "#features/order-invoices/settle-invoices.ts";
import { isReadingFailure } from "#features/books/index.ts";
import { findInvoices, type StoredInvoice } from "#features/order-invoices/store.ts";
import { findThread, listTracked } from "#features/order-invoices/store-threads.ts";
import { listParts } from "#features/order-invoices/shipments.ts";
import {
  canUseNew,
  findCancelNotices,
  findInvoiceNotices,
  findOpenCancel,
  findOrders,
  findPartner,
  findUnitPrice,
  hasInvoice,
  INVOICED_WHOLE,
  isCancelNotified,
  isInvoicedWhole,
  isResendable,
  listEnding,
  listObjections,
  listMessages,
  nameRetailer,
  findOrderShipNotices,
  orderUnknown,
  showWaiting,
  type StoredMessage,
  type StoredNotice,
  type StoredOrder,
} from "#features/orders/index.ts";
import { decimalToFixed, FIXED_DECIMALS, multiplyToCents } from "#formats/table/amounts.ts";
import { centsText } from "#platform/money.ts";

const MAX_MESSAGES = 100;

type Fact = Omit<ThreadView["steps"][number]["facts"][number], "time">;

/** Reads one order with all that happened to it. @throws AppError 404 for an unknown order */
export async function readThread(
  ctx: OrderInvoicesCtx,
  realmId: string,
  orderId: string,
): Promise<ThreadView> {
  const billed = await readBilled(ctx, realmId, orderId);
  const row = await findThread(ctx.db, realmId, orderId);
  if (!row) throw orderUnknown();
  const sayings = sayIn(await findTimeZone(ctx.db, realmId), ctx.clock.now());
  const ships = await findOrderShipNotices(ctx.db, realmId, orderId);
  const documents = await findInvoiceNotices(ctx.db, realmId, { orderId });
  const messages = await listMessages(ctx.db, realmId, { orderId, limit: MAX_MESSAGES });
  const thread = toThread(row, sayings);
  const { order, parts, invoices } = billed;
  const advice = listAdvice(billed, documents);
  const tracked = await listTracked(
    ctx.db,
    realmId,
    invoices.flatMap(({ qbo_id: id }) => id ?? []),
  );
  const facts: Fact[][] = [
    [
      {
        text: `${order.trading?.format === "xml" ? "Order" : "850"} received`,
        at: order.received_at.toISOString(),
      },
      ...messages.filter(isChange).flatMap(changeFacts),
    ],
    parts.map((part) => ({
      text: `${part.trackingNumbers.length} ${part.trackingNumbers.length === 1 ? "carton" : "cartons"}, ${part.lines.reduce((sum, { quantity }) => sum + Number(quantity), 0)} pieces`,
      at: part.shippedAt.toISOString(),
    })),
    parts.flatMap((part) =>
      part.trackingNumbers.map((number) => ({ text: number, at: part.shippedAt.toISOString() })),
    ),
    ships.flatMap((notice) => [...noticeFacts(notice), ...messages.flatMap(messageFacts([notice]))]),
    invoices.map((invoice) => invoiceFact(invoice)),
    [
      ...documents.flatMap(noticeFacts),
      ...messages
        .filter((message) => !isChange(message) && !ships.some(({ id }) => id === message.notice_id))
        .flatMap(messageFacts(documents)),
    ],
    [
      ...(row.delivered > 0
        ? [{ text: `${row.delivered} of ${row.packages} packages delivered`, at: null }]
        : []),
      ...tracked.flatMap(({ qbo_id: id, proved_at: at }) => {
        const number = invoices.find((invoice) => invoice.qbo_id === id)?.qbo_number ?? "";
        return at ? [{ text: `Proof on invoice ${number}`, at: at.toISOString() }] : [];
      }),
    ],
  ];
  const names = ["Ordered", "Packed", "Labels", "Ship notice", "Invoice", "Accepted", "Delivered"];
  return {
    thread,
    retailer: nameRetailer(billed.partner, ctx),
    steps: names.map((name, place) => ({
      name,
      mark: thread.marks[place] ?? "waiting",
      facts: (facts[place] ?? []).map(({ text, at }) => ({
        text,
        at,
        time: at ? sayings.say(new Date(at)) : "",
      })),
    })),
    invoices: invoices.map((invoice) => ({
      ...toInvoice(ctx, billed, invoice),
      problem: [invoice.problem, advice.get(invoice.id)].filter(Boolean).join(" "),
      ...findAnswered(documents, messages, invoice),
      pack_of: tracked.find(({ qbo_id: id }) => id === invoice.qbo_id)?.qbo_id ?? null,
    })),
    waiting: await showQuestion(ctx, order),
    asks_shipped: findOpenCancel(order) !== null,
    slip_file: order.slip_file,
  };
}

async function showQuestion(ctx: OrderInvoicesCtx, order: StoredOrder): Promise<ThreadView["waiting"]> {
  const { db } = ctx;
  const waiting = showWaiting(order);
  if (!waiting) return null;
  if (await isInvoicedWhole(ctx, db, order)) return { ...waiting, can_use_new: false, note: INVOICED_WHOLE };
  const isCanceled = order.state === "cancelled";
  const [notice] = isCanceled ? await findCancelNotices(db, order.realm_id, [order.id]) : [];
  const canUse = isCanceled ? !isCancelNotified(notice) : canUseNew(order);
  const ending = await listEnding(ctx, db, order);
  return { ...waiting, can_use_new: canUse, note: noteChoice({ isCanceled, canUse, ending }) };
}

/** While the books can't be read, what is known is shown. */
async function readBilled(ctx: OrderInvoicesCtx, realmId: string, orderId: string): Promise<Billed> {
  try {
    await settleInvoices(ctx, realmId);
    await recheckBooked(ctx, realmId, await findInvoices(ctx.db, realmId, [orderId]));
    const [billed] = await refreshDrafts(ctx, realmId, [orderId]);
    if (billed) return billed;
  } catch (error) {
    if (!isReadingFailure(error)) throw error;
  }
  const [order] = await findOrders(ctx.db, realmId, [orderId]);
  const partner = order && findPartner(ctx.partners, order.partner);
  if (!order || !partner) throw orderUnknown();
  const parts = (await listParts(ctx.db, realmId, [order])).get(orderId) ?? [];
  return { order, partner, parts, invoices: await findInvoices(ctx.db, realmId, [orderId]) };
}

const STATES: Readonly<Record<string, string>> = { accepted: "accepted", rejected: "rejected" };

function noticeFacts({
  document,
  state,
  due_at,
  sent_at,
  ended_at,
  problems,
  is_held,
}: StoredNotice): Fact[] {
  const facts: Fact[] = [];
  if (sent_at) facts.push({ text: `${document} sent`, at: sent_at.toISOString() });
  else if (is_held && problems.length > 0) facts.push({ text: `${document} not sent`, at: null });
  else if (is_held) facts.push({ text: `${document} waiting for the ship notice`, at: null });
  else facts.push({ text: `${document} goes out`, at: due_at.toISOString() });
  if (ended_at && STATES[state])
    facts.push({ text: `${document} ${STATES[state]}`, at: ended_at.toISOString() });
  for (const text of problems) facts.push({ text, at: null });
  return facts;
}

/** Whether a message is a change of the order that isn't used, with the reason. */
const isChange = ({ document }: StoredMessage): boolean => document === "860";

const changeFacts = ({ sentences, received_at: at }: StoredMessage): Fact[] =>
  ["860 not used", ...sentences].map((text) => ({ text, at: at.toISOString() }));

/** Lists sentences of a retailer's message that its document does not show already as problems. */
const messageFacts =
  (notices: readonly StoredNotice[]) =>
  ({ sentences, received_at: at, notice_id: id }: StoredMessage): Fact[] => {
    const known = notices.find((notice) => notice.id === id)?.problems ?? [];
    return sentences.filter((text) => !known.includes(text)).map((text) => ({ text, at: at.toISOString() }));
  };

/** Finds the latest document of an invoice, if it can be resent or marked as rejected, or isn't sent. */
function findAnswered(
  documents: readonly StoredNotice[],
  messages: readonly StoredMessage[],
  invoice: StoredInvoice,
) {
  const { qbo_id: id } = invoice;
  const last = documents.findLast(({ facts }) => "invoice" in facts && facts.invoice.id === id);
  const held = findHeld(documents, invoice);
  return {
    rejected_document: last && isResendable(last) ? last.id : null,
    doubted_document: last && listObjections(last, messages).length > 0 ? last.id : null,
    asks_portal: held !== undefined,
    about: markAbout(invoice, held),
  };
}

/**
 * Advice about the posted invoices of an order, by their ids: that their labels were voided, unless a user said that they are credited,
 * and that no invoice has the order's charges.
 */
function listAdvice(
  { order, partner, parts, invoices }: Billed,
  documents: readonly StoredNotice[],
): ReadonlyMap<string, string> {
  const settled = invoices.flatMap((invoice) => {
    const { state, qbo_id: qboId, shipment_id, draft } = invoice;
    if (state === "draft") return [];
    const own = documents.flatMap((document) =>
      "invoice" in document.facts && document.facts.invoice.id === qboId
        ? [{ ...document, facts: document.facts }]
        : [],
    );
    const excess = findExcess({ shipment_id, ...listBilled(draft, own) }, parts, order);
    const booked = own.at(-1)?.facts.invoice;
    return [
      { invoice, draft, excess, booked, isWholeExcess: excess?.isWhole === true, isSent: hasInvoice(own) },
    ];
  });
  const credited = invoices.flatMap(({ answers }) => answers.credited ?? []);
  const advice = new Map(
    settled.flatMap(({ invoice, excess, isSent }): [string, string][] =>
      excess && !isCredited({ qboId: invoice.qbo_id, ...excess }, credited)
        ? [[invoice.id, voidedSentence({ isSent })]]
        : [],
    ),
  );
  const newest = settled.findLast(({ isWholeExcess }) => !isWholeExcess);
  const unbilled = settled.length === invoices.length ? findUnbilledCharges(order, partner, settled) : null;
  if (newest && unbilled) {
    const { id } = newest.invoice;
    const said = unbilledSentence(unbilled, unbilled.isGone && !newest.isSent);
    advice.set(id, [advice.get(id), said].filter(Boolean).join(" "));
  }
  return advice;
}

function invoiceFact(invoice: StoredInvoice): Fact {
  const at = invoice.posted_at?.toISOString() ?? null;
  const number = invoice.qbo_number ?? invoice.number ?? "";
  if (invoice.state === "posted") return { text: `Invoice ${number} posted`, at };
  if (invoice.state === "linked") return { text: `Invoice ${number} linked`, at };
  if (invoice.state === "posting")
    return { text: invoice.problem || `Invoice ${number} is being posted`, at: null };
  return { text: invoice.problem || "Draft from what shipped", at: null };
}

function toInvoice(
  ctx: OrderInvoicesCtx,
  billed: Billed,
  invoice: StoredInvoice,
): Omit<OrderInvoice, "pack_of" | keyof ReturnType<typeof findAnswered>> {
  const { draft, theirs } = invoice;
  const realmId = invoice.realm_id;
  const hold = findOrderHold(billed.order);
  const waits: OrderInvoice["waits"] = [
    ...(hold && invoice.state === "draft" ? [hold] : []),
    ...invoice.waits,
    ...(invoice.state === "draft" && !hasLeft(billed, invoice) ? (["not_left"] as const) : []),
  ];
  const fixed = (text: string) => decimalToFixed(text, FIXED_DECIMALS) ?? 0n;
  const { content: order } = billed.order;
  const costs = order.lines.map((line) =>
    Number(multiplyToCents(fixed(line.quantity), fixed(findUnitPrice(line)))),
  );
  const merchandise = costs.reduce((sum, cents) => sum + cents, 0);
  const charge = (amount: "allowance" | "freight") =>
    findCharge(amount, { order, partner: billed.partner, merchandise, hasOrderCharges: true });
  const lines = order.lines.map((line, at): OrderInvoice["lines"][number] => {
    const drafted = draft.lines.find((each) => each.line === line.line);
    return {
      line: line.line,
      sku: line.buyerSku || line.vendorSku || line.upc,
      description: line.description,
      item: drafted?.item?.name ?? null,
      ordered: line.quantity,
      price: line.unitCost,
      ordered_amount: centsText(costs[at] ?? 0),
      shipped: drafted?.quantity ?? "0",
      billed: drafted?.quantity ?? "0",
      billed_amount: centsText(drafted?.cents ?? 0),
      item_price: drafted?.itemPrice ?? null,
      asks_price:
        drafted !== undefined && isAboveOrder(drafted) && !(invoice.answers.price ?? []).includes(line.line),
    };
  });
  return {
    id: invoice.id,
    state: invoice.state,
    can_post: invoice.state === "draft" && waits.length === 0,
    waits,
    number: invoice.qbo_number ?? invoice.number,
    link: invoice.qbo_id === null ? null : ctx.invoicePage({ realmId, id: invoice.qbo_id }),
    customer: draft.customer?.name ?? null,
    terms: draft.terms,
    unknown_terms: draft.unknownTerms ?? null,
    ship_date: draft.shipDate,
    tracking_numbers: [...draft.trackingNumbers],
    lines,
    ordered_freight: centsText(charge("freight")),
    ordered_allowance: centsText(charge("allowance")),
    ordered_total: centsText(merchandise + charge("freight") - charge("allowance")),
    freight: centsText(draft.freightCents),
    allowance: centsText(draft.allowanceCents),
    total: centsText(Number(invoice.qbo_total_cents ?? draft.totalCents)),
    problem: invoice.problem,
    asks_handled: asksHandled(invoice),
    theirs: theirs && {
      id: theirs.id,
      number: theirs.number,
      date: theirs.date,
      total: centsText(theirs.totalCents),
      link: ctx.invoicePage({ realmId, id: theirs.id }),
      has_tracking_number: theirs.hasTrackingNumber,
    },
  };
}
