import type { Wait } from "#features/order-invoices/rules-draft.ts";
import { centsText } from "#platform/money.ts";

/** Why the invoice of an order is not posted, and what to do. */
export function waitSentence(wait: Wait | "not_left", po: string): string {
  return `PO # ${po}: ${SENTENCES[wait]}`;
}

/** What to do about an invoice that the retailer has: a credit's document (810 type CR) is not written here. */
export const CREDIT_IT =
  "Write a credit memo in QuickBooks, and send the retailer a credit through its portal.";

/** What someone did in QuickBooks to an invoice that the retailer has. @param now its total in cents; null for one that was voided or deleted */
export function changedSentence(number: string, { was, now }: { was: number; now: number | null }): string {
  const change = now === null ? "voided or deleted" : `changed to $${centsText(now)}`;
  return `The retailer already has invoice ${number} for $${centsText(was)}, and it was ${change} in QuickBooks since. Restore it there. If it was wrong: ${CREDIT_IT}`;
}

const SENTENCES: Readonly<Record<Wait | "not_left", string>> = {
  nothing: "everything that has shipped is billed.",
  customer: "choose the retailer's customer in QuickBooks first.",
  sku: "choose the item in QuickBooks for each of its SKUs first.",
  no_price:
    "a line of the order has no price. Ask the retailer for it, or create this invoice in QuickBooks.",
  price: "QuickBooks has a higher price than the order. Confirm the order's price first.",
  books:
    "QuickBooks already has an invoice with this PO number or tracking number. Open the order, and choose whether it is this one.",
  not_left: "its ship notice hasn't been sent yet. It can be billed after that.",
};
