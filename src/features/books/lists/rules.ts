import type { OtherField } from "#features/books/contract.ts";

type Entry = { id: string; name: string; fullName: string; active: boolean };

/** A company's lists, and the preferences that change what may be sent. Dates are YYYY-MM-DD. */
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
  /** The company numbers its invoices by hand. */
  customNumbers: boolean;
  /** The books are closed up to and including this day. */
  closedThrough: string | null;
  /** ISO code; null when the books name none. */
  homeCurrency: string | null;
  /** Country of the company as Intuit names it, "US". */
  country: string;
  /** Fields that the company's preferences make QuickBooks drop. */
  droppedFields?: readonly OtherField[];
  /** Lines and sums that the company's preferences allow on its invoices; by default discounts and shipping. */
  allowed?: { discount: boolean; shipping: boolean; deposit: boolean };
  /** The custom field that takes the PO number, when the company has one. */
  poField?: { id: string; name: string } | undefined;
};
