type RefBody = { value: string; name?: string };

type SalesItemLine = {
  DetailType: "SalesItemLineDetail";
  /** Must equal Qty × UnitPrice to the cent. */
  Amount: number;
  /** At most 4000 characters. */
  Description?: string;
  SalesItemLineDetail: {
    /**
     * QuickBooks treats a line without an item as text and ignores its amount. `SHIPPING_ITEM` needs
     * AllowShipping.
     */
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

/** At most one, and only if the company has AllowDiscount. QuickBooks chooses the account itself. */
type DiscountLine = {
  DetailType: "DiscountLineDetail";
  Amount: number;
  Description?: string;
  DiscountLineDetail: { PercentBased: false } | { PercentBased: true; DiscountPercent: number };
};

export type InvoiceLineBody = SalesItemLine | TextLine | DiscountLine;

/** Item of QuickBooks' own shipping line. */
export const SHIPPING_ITEM = "SHIPPING_ITEM_ID";

/** Number of an invoice that QuickBooks is to number, in a company that numbers by hand. */
export const AUTO_NUMBER = "AUTO_GENERATE";

/** An invoice as sent. Intuit refuses unknown properties (2010), so only these. Dates are YYYY-MM-DD. */
export type InvoiceBody = {
  CustomerRef: RefBody;
  Line: InvoiceLineBody[];
  /**
   * At most 21 characters; with `AUTO_GENERATE`, QuickBooks assigns the number in a company with custom
   * numbers.
   */
  DocNumber?: string;
  TxnDate?: string;
  DueDate?: string;
  SalesTermRef?: RefBody;
  /** Printed on the invoice, at most 1000 characters. */
  CustomerMemo?: { value: string };
  /** Internal to the company, at most 4000 characters. */
  PrivateNote?: string;
  BillEmail?: { Address: string };
  ClassRef?: RefBody;
  DepartmentRef?: RefBody;
  CurrencyRef?: RefBody;
  /** Units of the home currency for one of `CurrencyRef`; only together with it. */
  ExchangeRate?: number;
  /** Prepayment: lowers the balance, not the total. Needs the company's AllowDeposit. */
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

/** Identifies one version of an invoice, for changing it. */
export type InvoiceVersion = { Id: string; SyncToken: string };
