import type { OtherField } from "#features/books/contract.ts";

type Entry = { id: string; name: string; fullName: string; active: boolean };

/** A company's lists, and the preferences that affect what may be sent. Dates are YYYY-MM-DD. */
export type BooksLists = {
  companyName: string;
  customers: (Entry & { currency?: string | undefined })[];
  items: (Entry & {
    sku?: string | undefined;
    type: string;
    unitPrice?: number | undefined;
    invStartDate?: string | undefined;
  })[];
  terms: (Omit<Entry, "fullName"> & { dueDays?: number | undefined })[];
  classes: Entry[];
  departments: Entry[];
  /** Whether the company numbers its invoices itself. */
  customNumbers: boolean;
  /** The books are closed up to and including this day. */
  closedThrough: string | null;
  /** ISO code; null if unknown. */
  homeCurrency: string | null;
  /** Country of the company as Intuit writes it, "US". */
  country: string;
  /** Whether the company has switched sales tax off, so that QuickBooks computes none. */
  salesTaxOff?: boolean;
  /** Fields that QuickBooks drops because of the company's preferences. */
  droppedFields?: readonly OtherField[];
  /**
   * Lines and amounts that the company's preferences allow on its invoices; by default discounts
   * and shipping.
   */
  allowed?: { discount: boolean; shipping: boolean; deposit: boolean };
  /** Custom field for the PO number, if the company has one. */
  poField?: { id: string; name: string } | undefined;
};
