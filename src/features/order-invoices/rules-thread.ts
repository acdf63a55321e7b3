import type { Mark, Thread } from "#features/order-invoices/contract.ts";
import type { StoredInvoice } from "#features/order-invoices/store.ts";
import type { ThreadRow } from "#features/order-invoices/store-threads.ts";
import { centsText } from "#platform/money.ts";

/** True if an invoice was changed in QuickBooks after its 810 and no user has handled the change. */
export const asksHandled = ({
  state,
  problem,
  answers,
}: Pick<StoredInvoice, "state" | "problem" | "answers">): boolean =>
  (state === "posted" || state === "linked") && problem !== "" && problem !== answers.handled;

type Facts = Omit<ThreadRow, "order_id" | "po_number" | "customer_name" | "received_at" | "cents">;

/** Ordered, packed, labels, ship notice, invoice, accepted, delivered. */
export function findMarks(row: Facts): Mark[] {
  const hasLabels = row.packages > 0 || row.is_labelled || row.ship !== null;
  const shipNotice: Mark = row.ship === "rejected" ? "refused" : isGone(row) ? "done" : "waiting";
  const isNext = row.standing === "to_ship" && !row.is_labelled;
  const packed: Mark = isNext ? "next" : hasLabels ? "done" : "waiting";
  return [
    "done",
    packed,
    hasLabels ? "done" : "waiting",
    hasLabels ? shipNotice : "waiting",
    markInvoice(row),
    row.billed && row.document === "accepted" ? "done" : "waiting",
    row.packages > 0 && row.delivered === row.packages ? "done" : "waiting",
  ];
}

const isGone = ({ ship }: Facts): boolean => ship === "sent" || ship === "accepted";

function markInvoice({ standing, billed, document }: Facts): Mark {
  if (document === "rejected") return "refused";
  if (standing === "differs") return "differs";
  if (standing === "ready") return "next";
  return billed ? "done" : "waiting";
}

/** Words about one thing that differs. */
const WAITS: Readonly<Record<string, string>> = {
  voided: "Labels voided",
  credit: "Labels voided",
  nothing: "Nothing to bill",
  customer: "Customer to match",
  sku: "SKU to match",
  terms: "Terms to match",
  no_price: "Price missing",
  charge: "Allowance or charge",
  currency: "Currency differs",
  price: "Price differs",
  books: "Already in QuickBooks?",
  order_waits: "Order changed?",
  canceled: "Canceled by retailer",
  changed: "Invoice changed",
};

/** Where an order stands, in a few words. @param say writes a time, with its zone */
export function standingWords(row: Facts, { say, day, today }: Sayings): string {
  switch (row.standing) {
    case "cancelled":
      return "Canceled";
    case "refused":
      if (row.ship === "rejected") return "Ship notice rejected";
      // One that differs from its order never left.
      return row.document_at ? "Invoice rejected" : "Invoice can't be sent";
    case "differs":
      return WAITS[row.waits[0] ?? ""] ?? "Not posted";
    case "ready":
      return "Ready to bill";
    case "posting":
      return "Posting";
    case "retailer":
      return row.document === "sent" && row.document_at
        ? `Sent ${day(row.document_at)}, no answer yet`
        : "Posted, 810 waiting";
    case "notice":
      return noticeWords(row, { say, day });
    case "done":
      return "Done";
    case "to_ship":
      return packWords(row, { day, today });
  }
}

function noticeWords(row: Facts, { say, day }: Pick<Sayings, "say" | "day">): string {
  if (row.ship === "pending" && row.due) return `Ship notice goes out ${say(row.due)}`;
  return row.ship_at ? `Ship notice sent ${day(row.ship_at)}` : "Ship notice waiting";
}

function packWords({ ship_by: shipBy }: Facts, { day, today }: Pick<Sayings, "day" | "today">): string {
  if (!shipBy) return "To pack";
  // At noon it is the same day in all of America.
  return `To pack, ship by ${shipBy === today ? "today" : day(new Date(`${shipBy}T18:00:00Z`))}`;
}

export type Sayings = { say: (at: Date) => string; day: (at: Date) => string; today: string };

export const toThread = (row: ThreadRow, sayings: Sayings): Thread => ({
  order_id: row.order_id,
  po_number: row.po_number,
  customer_name: row.customer_name,
  standing: row.standing,
  words: standingWords(row, sayings),
  marks: findMarks(row),
  amount: centsText(Number(row.cents)),
});
