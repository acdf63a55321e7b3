/**
 * A retailer whose orders come in. Everything that differs between retailers is data of this type: a new retailer is one file
 * beside this one, and an entry in `partners.ts`. Values that a retailer gives only to its suppliers are settings of the company.
 */
export type Partner = {
  /** Stored with each order: never rename it. */
  id: string;
  /** Its name in the books and on the Orders page; null: what the operator calls the retailer (RETAILER_NAME). */
  name: string | null;
  /** Senders of its X12 interchanges (ISA06) and of its XML; empty for the retailer of files that name no known sender. */
  senders: readonly string[];
  /** UPS's service codes by the retailer's. */
  services: Readonly<Record<string, string>>;
  /** UPS's service of an order that names none. */
  defaultService: string;
  /** Whether UPS bills the retailer's account, as long as the company does not say otherwise. */
  billing: "third_party" | "shipper";
  /** Reasons for which a supplier cancels: the retailer's code and its words. */
  cancelReasons: readonly { id: string; name: string }[];
  /** The one of these for what the retailer canceled itself. */
  ownCancelReason: string;
  /** Tells its orders apart: the PO number, or that and the ship-to's number, which each of its orders then has. */
  ordersBy: "number" | "store";
  /** Qualifiers of references in its X12 orders. */
  references: { customerOrder: string; cancelAfter: string; shipBy: readonly string[] };
  /**
   * Smallest thing that it lets us cancel in its X12: the order, a line, what is left of a line, or some pieces of it.
   * CommerceHub's XML takes pieces of a line.
   */
  canCancel: "order" | "line" | "rest" | "quantity";
  /** Whether its ship notice must say what is in which carton: without that it doesn't leave. */
  needsContents: boolean;
  /** X12 documents that it takes; null for a notice that it doesn't take. */
  notices: { cancel: "855" | "856" | null; ship: "856" | null };
  /** Actions of the CommerceHub XML that it takes about orders that came so, each null like above; null: it takes X12 about them, too. */
  xmlNotices: { cancel: "v_cancel" | null; ship: "v_ship" | null } | null;
  /** Its name in X12 notices about orders that came in otherwise, and their release. */
  x12: { qualifier: string; id: string; version: string };
  /** Rules of its invoices. */
  invoices: InvoiceRules;
  slip: {
    /** Above the address of the consumer. */
    thanks: string;
    /** Below the lines. */
    footer: string;
  };
};

/** How a retailer is invoiced, and what its invoice document must say. */
export type InvoiceRules = {
  /** One invoice for each shipment of an order, or one for all of it. */
  per: "shipment" | "order";
  /** Longest invoice number. */
  numberMax: number;
  /** The document about orders that came in X12 or otherwise; null: it takes none. */
  document: "810" | null;
  /** The document about orders that came in CommerceHub's XML; null: it takes the other one about them, too. */
  xmlDocument: "v_invoice" | null;
  /** It leaves once each of its ship notices was accepted, or sent. One in XML is never answered: sent is enough. */
  after: "ship_notice_accepted" | "ship_notice_sent";
  /** BIG07. */
  type: string;
  /** Party and qualifier of the vendor number to remit to. */
  remitTo: "RE" | "RI";
  remitQualifier: string;
  /** REF qualifiers in order; the value is the order's, for "CN" the tracking number, for the vendor's the vendor number. */
  references: readonly string[];
  /** REF qualifier of the vendor number in its orders and invoices. */
  vendorReference: string;
  /** Product ids of a line in order. */
  pairs: readonly ("SK" | "VN" | "UP")[];
  /**
   * The allowance and the charges that it takes, each once at the end of the document. `needsOrder`: only if the order names
   * it; an allowance must then be the order's percent. `handling`: X12's code of who pays. `isDiscounted`: the terms' discount is taken on it.
   */
  charges: readonly {
    amount: "allowance" | "freight";
    code: string;
    handling: string;
    description: string;
    needsOrder: boolean;
    isDiscounted: boolean;
  }[];
  /** It takes sales tax on an invoice. */
  acceptsTax: boolean;
  /** Values without which it doesn't pay; an invoice leaves only with them. */
  required: readonly ("vendor_number" | "store" | "tracking_number")[];
};

/** The retailer's code of a service that an order doesn't name. */
export const findServiceCode = ({ services }: Partner, service: string): string =>
  Object.entries(services).find(([, ups]) => ups === service)?.[0] ?? service;
