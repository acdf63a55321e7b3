import type { Pieces } from "#features/orders/rules-shipped.ts";

/**
 * The document of a notice: an X12 transaction set, acknowledged by a 997, or the action of a CommerceHub
 * message, which is never acknowledged.
 */
export type NoticeDocument = "810" | "855" | "856" | "v_cancel" | "v_invoice" | "v_ship";

export const isXml = (document: NoticeDocument): document is "v_cancel" | "v_invoice" | "v_ship" =>
  document.startsWith("v_");

/** "Overdue" is not stored; it follows from when the notice was sent. */
export type StoredState = "pending" | "sent" | "accepted" | "rejected" | "withdrawn";

/** Facts of a ship notice that its order doesn't have. Weights are pounds. */
export type ShipFacts = {
  /** UPS's number of the shipment. */
  shipment: string;
  /** UPS's code of the service. */
  service: string;
  /** `contents` is null if carton contents were not entered. */
  cartons: readonly { trackingNumber: string; weightLb: number; contents: readonly Pieces[] | null }[];
  /** All pieces of the shipment. */
  lines: readonly Pieces[];
  shipFrom: { name: string; lines: readonly string[]; city: string; state: string; zip: string };
  /** The company's number at the retailer; empty when it has none. */
  vendorNumber: string;
};

export type CancelFacts = {
  /** The retailer's reason code. */
  reason: string;
  /** Pieces canceled; null for all lines. */
  lines: readonly Pieces[] | null;
  /** All pieces of the order canceled so far, these included. */
  canceledSoFar: readonly (Pieces & { reason: string })[];
  /** True if the whole order was canceled before anything shipped. */
  isWhole: boolean;
  /** Distinguishes successive cancellations of one order. */
  sequence: number;
  /** Store of the order; other stores may use the same PO number. */
  store?: string;
};
/**
 * An invoice as QuickBooks returned it. Amounts are decimal dollars; an allowance is positive, and lowers the
 * total. `line` is the number of the order's line.
 */
export type BookedInvoice = {
  /** QuickBooks' Id. */
  id: string;
  number: string;
  /** YYYY-MM-DD */
  date: string;
  dueDate: string;
  total: string;
  lines: readonly { line: string; quantity: string; unitPrice: string; amount: string }[];
  freight: string;
  allowance: string;
  tax: string;
  /** ISO code */
  currency: string;
  /** Credits of earlier invoices of the order, whose pieces this one bills again. */
  credited?: readonly Credit[];
};

/** Pieces of an invoice that are credited, by its QuickBooks Id. `isWhole`: with its freight and allowance. */
export type Credit = {
  id: string;
  lines: readonly { line: string; quantity: string }[];
  isWhole: boolean;
};

/** Facts of an invoice document that its order doesn't have. */
export type InvoiceFacts = {
  invoice: BookedInvoice;
  /** 1 for the first document of this invoice, 2 for the one sent after a rejection, and so on. */
  attempt: number;
  /** The invoice is no longer in the books: what the retailer rejected of it isn't sent again. */
  isOver?: true;
};

export type NoticeFacts = ShipFacts | CancelFacts | InvoiceFacts;
