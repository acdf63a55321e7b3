type RefBody = { value: string; name?: string };

type SalesItemLine = {
  DetailType: "SalesItemLineDetail";
  /** Must equal Qty × UnitPrice to the cent. */
  Amount: number;
  /** At most 4000 characters. */
  Description?: string;
  SalesItemLineDetail: {
    /** A line without an item is text to QuickBooks, and its amount is ignored. `SHIPPING_ITEM` needs AllowShipping. */
    ItemRef: RefBody;
    Qty?: number;
    UnitPrice?: number;
    /** YYYY-MM-DD; needs the company's AllowServiceDate. */
    ServiceDate?: string;
    TaxCodeRef?: RefBody;
    ClassRef?: RefBody;
  };
};

type TextLine = {
  DetailType: "DescriptionOnly";
  Description: string;
  DescriptionLineDetail?: object;
};

/** At most one, and only where the company has AllowDiscount. QuickBooks itself names the account. */
type DiscountLine = {
  DetailType: "DiscountLineDetail";
  Amount: number;
  Description?: string;
  DiscountLineDetail: { PercentBased: false } | { PercentBased: true; DiscountPercent: number };
};

export type InvoiceLineBody = SalesItemLine | TextLine | DiscountLine;

/** Item of QuickBooks' own shipping line. */
export const SHIPPING_ITEM = "SHIPPING_ITEM_ID";

/** An invoice as it is sent. Properties Intuit does not know are refused (2010), so only these. Dates are YYYY-MM-DD. */
export type InvoiceBody = {
  CustomerRef: RefBody;
  Line: InvoiceLineBody[];
  /** At most 21 characters; `AUTO_GENERATE` lets a company with custom numbers count by itself. */
  DocNumber?: string;
  TxnDate?: string;
  DueDate?: string;
  SalesTermRef?: RefBody;
  /** Printed on the invoice, at most 1000 characters. */
  CustomerMemo?: { value: string };
  /** For the company only, at most 4000 characters. */
  PrivateNote?: string;
  BillEmail?: { Address: string };
  ClassRef?: RefBody;
  DepartmentRef?: RefBody;
  CurrencyRef?: RefBody;
  /** Units of the home currency for one of `CurrencyRef`; only beside it. */
  ExchangeRate?: number;
  /** Paid in advance: it lowers the balance, not the total. Needs the company's AllowDeposit. */
  Deposit?: number;
  /** Free text, not an id. */
  ShipMethodRef?: RefBody;
  ShipDate?: string;
  TrackingNum?: string;
  ShipAddr?: AddressBody;
  BillAddr?: AddressBody;
};

export type AddressBody = {
  Line1?: string;
  Line2?: string;
  Line3?: string;
  City?: string;
  CountrySubDivisionCode?: string;
  PostalCode?: string;
  Country?: string;
};

/** Names one state of an invoice, for changing it. */
export type InvoiceVersion = { Id: string; SyncToken: string };
