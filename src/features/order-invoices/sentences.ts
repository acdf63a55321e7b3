import type { Wait } from "#features/order-invoices/rules-draft.ts";

/** Why the invoice of an order is not posted, and what to do. */
export function waitSentence(wait: Wait | "not_left", po: string): string {
  return `PO # ${po}: ${SENTENCES[wait]}`;
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
