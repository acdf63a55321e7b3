import type { Pieces } from "#features/orders/rules-shipped.ts";

/** The document of a notice: an X12 set, which a 997 answers, or the action of a CommerceHub message, which nothing does. */
export type NoticeDocument = "810" | "855" | "856" | "v_cancel" | "v_invoice" | "v_ship";

export const isXml = (document: NoticeDocument): document is "v_cancel" | "v_invoice" | "v_ship" =>
  document.startsWith("v_");

/** Of a sent notice, "overdue" is read from its time. */
export type StoredState = "pending" | "sent" | "accepted" | "rejected" | "withdrawn";

/** Facts of a ship notice that its order doesn't have. Weights are pounds. */
export type ShipFacts = {
  /** UPS's number of the shipment. */
  shipment: string;
  /** UPS's code of the service. */
  service: string;
  /** `contents` is null if no one said what is in which carton. */
  cartons: readonly { trackingNumber: string; weightLb: number; contents: readonly Pieces[] | null }[];
  /** All pieces of the shipment. */
  lines: readonly Pieces[];
  shipFrom: { name: string; lines: readonly string[]; city: string; state: string; zip: string };
  /** The company's number at the retailer; empty when it has none. */
  vendorNumber: string;
};

/**
 * The retailer's code of the reason, and the pieces that are canceled; null for all lines. `isWhole`: nothing of the order is left,
 * and nothing was shipped.
 */
export type CancelFacts = {
  reason: string;
  lines: readonly Pieces[] | null;
  /** All that is canceled of the order so far, these too. */
  gone: readonly (Pieces & { reason: string })[];
  isWhole: boolean;
  /** Tells cancellations of an order's lines apart. */
  turn: number;
  /** Of the order, whose PO number other stores may have too. */
  store?: string;
};
/**
 * An invoice as QuickBooks' stored answer has it. Amounts are decimal dollars; an allowance is positive, and lowers the total.
 * `line` is the number of the order's line.
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
  /** The document's number among those of this invoice: the second is sent after the retailer rejected the first. */
  attempt: number;
  /** The invoice is no longer in the books: what the retailer rejected of it isn't sent again. */
  isOver?: true;
};

export type NoticeFacts = ShipFacts | CancelFacts | InvoiceFacts;
