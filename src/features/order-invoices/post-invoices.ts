import { keepPrepared, addPrepared } from "#features/invoices/index.ts";
import { readKeptLists } from "#features/books/index.ts";
import type { Audited } from "#features/audit/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { findHold, findTheirs } from "#features/order-invoices/find-theirs.ts";
import { refreshDrafts, type Billed } from "#features/order-invoices/refresh-drafts.ts";
import { findOrderHold, proposeNumber } from "#features/order-invoices/rules-draft.ts";
import { fingerprintOrder, lockOrders, type StoredOrder } from "#features/orders/index.ts";
import { readBooked } from "#features/order-invoices/read-booked.ts";
import { waitSentence } from "#features/order-invoices/sentences.ts";
import {
  changeInvoice,
  isNumberTaken,
  isNumberUsed,
  lockInvoices,
  type StoredInvoice,
} from "#features/order-invoices/store.ts";
import { settleInvoices } from "#features/order-invoices/settle-invoices.ts";
import { writeSheet, type SheetInvoice } from "#features/order-invoices/write-sheet.ts";
import { toJson } from "#platform/db/json.ts";

type Uploader = { id: string | null; name: string };
/** `isAutomatic`: without a click, which posts none that was undone or failed before. */
type Request = {
  realmId: string;
  orderIds: readonly string[];
  /** Only this one of their invoices is posted. */
  invoiceId?: string | undefined;
  by: Uploader;
  isAutomatic?: boolean;
};
type LeftOut = { orderId: string; problem: string };
type Posted = { posting: number; uploadId: string | null; leftOut: LeftOut[] };

/**
 * Posts the invoices of orders that are ready, all in one upload, through the ledger and the writes of any upload. What another call
 * took meanwhile is not taken twice: an invoice belongs to one upload at a time, which is stored in the upload's own transaction.
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function postOrderInvoices(ctx: OrderInvoicesCtx & Audited, request: Request): Promise<Posted> {
  const { realmId, orderIds, invoiceId, by, isAutomatic = false } = request;
  await settleInvoices(ctx, realmId);
  const billed = await refreshDrafts(ctx, realmId, orderIds);
  await findTheirs(ctx, realmId, billed);
  const leftOut: LeftOut[] = [];
  const ready: Candidate[] = [];
  let posting = 0;
  for (const bill of billed) {
    if (bill.invoices.length === 0)
      leftOut.push({ orderId: bill.order.id, problem: waitSentence("not_shipped", bill.order.po_number) });
    for (const invoice of bill.invoices.filter(({ id }) => invoiceId === undefined || id === invoiceId)) {
      if (invoice.state === "posting") posting += 1;
      if (invoice.state !== "draft" || (isAutomatic && invoice.problem !== "")) continue;
      const wait = findHold(bill, invoice) ?? invoice.waits[0];
      if (wait === undefined) ready.push({ ...bill, invoice });
      else leftOut.push({ orderId: bill.order.id, problem: waitSentence(wait, bill.order.po_number) });
    }
  }
  if (ready.length === 0) return { posting, uploadId: null, leftOut };
  const { customNumbers } = await readKeptLists(ctx, realmId);
  const numbered = customNumbers ? await giveNumbers(ctx, realmId, ready) : ready.map(withoutNumber);
  const id = ctx.ids.uuid();
  const { bytes, firstRows, rows } = writeSheet(numbered);
  const file = await keepPrepared(ctx, { realmId, id, bytes });
  const take = ctx.db.transaction().execute(async (tx) => {
    const orders = await lockOrders(
      tx,
      realmId,
      numbered.map(({ order }) => order.id),
    );
    const invoices = await lockInvoices(
      tx,
      realmId,
      numbered.map(({ invoice }) => invoice.id),
    );
    if (!numbered.every((each) => isSame(each, { orders, invoices }))) return false;
    for (const [at, { invoice, number, attempt }] of numbered.entries())
      await changeInvoice(tx, invoice, {
        state: "posting",
        number,
        attempts: attempt,
        problem: "",
        upload_id: id,
        first_row: firstRows[at] ?? 0,
        posted_by: by.name,
      });
    const fileName = nameFile(numbered.map(({ order }) => order.po_number));
    await addPrepared(ctx, tx, { realmId, id, fileName, dataRows: rows, uploadedBy: by, file });
    return true;
  });
  const isTaken = await take.catch((error: unknown) => {
    if (isNumberTaken(error)) return false;
    throw error;
  });
  // Another call took it or its number, or a draft or order changed: what is left now is posted, and the file is removed as an orphan.
  if (!isTaken) return postOrderInvoices(ctx, request);
  return { posting: posting + numbered.length, uploadId: id, leftOut };
}

type Candidate = Billed & { invoice: StoredInvoice };

type Locked = { orders: readonly StoredOrder[]; invoices: readonly StoredInvoice[] };

/**
 * Whether an invoice is as it was read, so that its draft is what the sheet says, and that draft is of the order as it is now. A
 * change of the order may have been stored or answered since, and an older read of it may have drafted last.
 */
function isSame({ order, invoice }: Pick<Candidate, "order" | "invoice">, locked: Locked): boolean {
  const orderNow = locked.orders.find(({ id }) => id === order.id);
  const now = locked.invoices.find(({ id }) => id === invoice.id);
  const fingerprint = orderNow && !findOrderHold(orderNow) && fingerprintOrder(orderNow.content);
  return (
    fingerprint === invoice.draft.order &&
    fingerprint === fingerprintOrder(order.content) &&
    now?.state === "draft" &&
    now.attempts === invoice.attempts &&
    toJson(now.draft) === toJson(invoice.draft)
  );
}

type Numbered = SheetInvoice & Pick<Candidate, "order" | "invoice">;

const withoutNumber = ({ order, partner, invoice }: Candidate): Numbered => ({
  order,
  invoice,
  number: null,
  attempt: invoice.attempts + 1,
  acceptsTax: partner.invoices.acceptsTax,
});

/**
 * Gives numbers that no invoice of an order has, nor one that a retailer may have, nor one of the books that a user said
 * is another invoice. Any other number that the books have is refused when it is posted: that invoice may be this one.
 */
async function giveNumbers(
  ctx: OrderInvoicesCtx,
  realmId: string,
  ready: readonly Candidate[],
): Promise<Numbered[]> {
  const others = ready.flatMap(({ invoice }) => invoice.answers.others ?? []);
  const stored = await readBooked(ctx, realmId, others);
  const given = new Set([...stored.values()].flatMap(({ DocNumber }) => DocNumber ?? []));
  // A PO number for 500 stores has 500 invoices: what one of them found taken, the next doesn't look up.
  const last = new Map<string, number>();
  const numbered: Numbered[] = [];
  for (const candidate of ready) {
    const { order, partner, invoice } = candidate;
    const key = `${partner.id} ${order.po_number}`;
    let attempt = Math.max(invoice.attempts, last.get(key) ?? 0);
    let number: string;
    do {
      attempt += 1;
      number = proposeNumber(order.po_number, partner.invoices.numberMax, attempt);
    } while (given.has(number) || (await isNumberUsed(ctx.db, realmId, number)));
    last.set(key, attempt);
    given.add(number);
    numbered.push({ ...withoutNumber(candidate), number, attempt });
  }
  return numbered;
}

/** "Orders 8841188, 8841170 and 10 more.csv" */
function nameFile(numbers: readonly string[]): string {
  const [first = "", second, ...others] = [...new Set(numbers)];
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `Orders ${first}${second === undefined ? "" : `, ${second}`}${more}.csv`;
}
