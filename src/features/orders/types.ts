import type { WrongCell } from "#features/sheets/contract.ts";

/** A consignee. `lines` are one to three; texts that an order leaves out are empty. */
export type ShipTo = {
  name: string;
  attention: string;
  lines: readonly string[];
  city: string;
  state: string;
  zip: string;
  /** ISO code of two letters. */
  country: string;
  phone: string;
};

/** A line of an order. Quantities and costs are decimal text, as they came in. */
export type OrderLine = {
  line: string;
  /** The retailer's own number of the line, where that is another one. */
  merchantLine?: string;
  buyerSku: string;
  vendorSku: string;
  upc: string;
  /** X12's qualifiers of the ids above, where the order has others than SK, VN and UP. */
  idQualifiers?: Partial<Record<"buyerSku" | "vendorSku" | "upc", string>>;
  description: string;
  quantity: string;
  /** "EA" */
  unit: string;
  unitCost: string;
  /** X12's code of what the cost is for, if the order names one: "PE" for each. */
  priceBasis?: string;
  /** Allowances and charges of the line alone. */
  charges?: readonly OrderCharge[];
};

/** When an invoice is due, as the retailer's order says it: texts and numbers as in X12's ITD. */
export type OrderTerms = {
  /** "01" basic, "05" no discount. */
  type: string;
  /** "3": counted from the date of the invoice. */
  basis: string;
  discountPercent: string;
  discountDate: string;
  discountDays: string;
  netDate: string;
  netDays: string;
  description: string;
};

/**
 * An allowance ("A") or charge ("C") that the order names, with X12's code; its percent or rate is decimal text. `handling`: X12's
 * code of who pays, if the order has one.
 */
export type OrderCharge = {
  indicator: string;
  code: string;
  amountCents: number | null;
  percent: string;
  rate: string;
  handling?: string;
  description: string;
};

/** A party of an order by X12's code, "BT" bill to, with its number at the retailer. */
export type OrderParty = { kind: string; name: string; idQualifier: string; id: string };

/** Facts of an order for its invoice; texts that it leaves out are empty. */
export type OrderBilling = {
  /** X12's type of the order: "DS" drop ship. */
  orderType: string;
  currency: string;
  terms: OrderTerms | null;
  charges: readonly OrderCharge[];
  parties: readonly OrderParty[];
  /** The amount that the retailer expects for the whole order, decimal text. */
  expectedTotal: string;
};

/** An order as every way in gives it. Texts that it leaves out are empty; dates are YYYY-MM-DD or null. */
export type Order = {
  poNumber: string;
  /** The consumer's order number at the retailer. */
  customerOrder: string;
  orderDate: string | null;
  shipBy: string | null;
  cancelAfter: string | null;
  shipTo: ShipTo;
  /** The retailer's code of the service, "UPSN_CG". */
  serviceCode: string;
  references: readonly { qualifier: string; value: string }[];
  giftMessage: string;
  vendorMessage: string;
  lines: readonly OrderLine[];
  /** The newest of the retailer's changes of it that came in, whatever a user answered. */
  lastChange?: ChangeNumber;
  /** The consignee must sign. */
  isSignatureRequired?: true;
  /** Absent for an order of a call or of a sheet without terms, which has no such facts. */
  billing?: OrderBilling;
};

/**
 * Pieces of a line that won't be shipped. `at` is an ISO time. `isWhole`: the order was canceled, which a restore reverses. `sequence`
 * is that of the retailer's notice of them.
 */
export type LineCancel = {
  line: string;
  quantity: string;
  reason: string;
  by: string;
  at: string;
  isWhole: boolean;
  sequence: number;
};

/**
 * Follows from the order's lines (`rules-shipped.ts`), apart from `labelling`: `open` while pieces are left to ship, `labelled` when
 * all have labels or are canceled, `cancelled` when all are canceled.
 * `open` → `labelling` while labels are made → `labelled` or, with pieces left, `open`; a failure or a void reopens it. `open` → `cancelled`, and back
 * by a restore. An order with labels is never canceled.
 */
export type OrderState = "open" | "labelling" | "labelled" | "cancelled";

/** Number of a retailer's change of an order, which counts up, and its day (YYYY-MM-DD); empty where it has none. */
export type ChangeNumber = { number: string; date: string };

/** A line of a retailer's change: "DI" deletes it, "AI" adds it, "QD" and "QI" give the new quantity, others replace it. */
export type ChangedLine = OrderLine & { change: string };

/** Facts of an order, other than its lines, that a retailer's change may replace; an omitted one is empty, and stays. */
export type ChangedHeading = Pick<
  Order,
  | "customerOrder"
  | "shipBy"
  | "cancelAfter"
  | "shipTo"
  | "serviceCode"
  | "references"
  | "giftMessage"
  | "vendorMessage"
> & { billing: OrderBilling };

/** A document of an incoming file; `store` is the ship-to's number, empty if it names none: an order, or the retailer's change or cancellation of one. */
export type OrderDocument =
  | { kind: "order"; poNumber: string; order: Order }
  | {
      kind: "change";
      poNumber: string;
      store: string;
      change: ChangeNumber;
      heading: ChangedHeading;
      lines: readonly ChangedLine[];
    }
  | { kind: "cancellation"; poNumber: string; store: string; change?: ChangeNumber }
  | NoticeAnswer
  | RetailerMessage
  | RefusedDocument;

export type RefusedDocument = {
  kind: "refused";
  poNumber: string;
  problems: readonly string[];
  /** The wrong cells of a sheet. */
  cells?: readonly WrongCell[];
  /** It was to change an order. */
  isChange?: true;
};

/** A retailer's functional acknowledgment (997) of a notice of ours, which its group's control number names. */
export type NoticeAnswer = {
  kind: "answer";
  poNumber: "";
  /** "SH" for an 856, "PR" for an 855, "IN" for an 810. */
  functionalId: string;
  controlNumber: number;
  /** Documents that it names, with the types and numbers that it gives them. */
  sets: readonly { type: string; controlNumber: string }[];
  isAccepted: boolean;
  problems: readonly string[];
};

/** A retailer's TA1, 812, 820, 824 or 864 about a document of ours, as far as it names one. */
export type RetailerMessage = {
  kind: "message";
  poNumber: string;
  document: "TA1" | "812" | "820" | "824" | "864";
  /** The same for the same message: its interchange, set and place. */
  source: string;
  about: {
    /** Control number of the group and interchange. */
    controlNumber: number | null;
    /** "810"; empty if it names none. */
    documentType: string;
    invoiceNumber: string;
    /** Words of a text in which numbers of invoices and orders may be. */
    words: readonly string[];
  };
  /** `refused`: the document was not taken. `attention`: it was, but a user should read this. */
  meaning: "refused" | "attention" | "note";
  sentences: readonly string[];
};

/** Who sends to whom in a retailer's files; its notices go the other way. */
export type Trading = X12Trading | XmlTrading;

/** With the qualifiers and group ids of both. */
export type X12Trading = {
  format: "x12";
  retailer: { qualifier: string; id: string; groupId: string };
  company: { qualifier: string; id: string; groupId: string };
  /** "004060"; empty for a release that isn't known. */
  version: string;
  isTest: boolean;
};

/** CommerceHub's names of both; empty where a file leaves them out. */
export type XmlTrading = { format: "xml"; merchant: string; vendor: string };

/** Channel through which a file arrived. */
export type IntakeChannel = "file" | "folder" | "api";

/** Subject of a notice to a retailer. */
export type NoticeKind = "cancel" | "ship" | "invoice";
