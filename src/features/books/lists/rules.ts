import type { OtherField } from "#features/books/contract.ts";

/** A company's lists, and the preferences that change what may be sent. Dates are YYYY-MM-DD. */
export type BooksLists = {
  companyName: string;
  customers: { id: string; name: string; fullName: string; active: boolean; currency?: string }[];
  items: {
    id: string;
    name: string;
    fullName: string;
    sku?: string;
    type: string;
    active: boolean;
    unitPrice?: number;
    invStartDate?: string;
  }[];
  terms: { id: string; name: string; active: boolean; dueDays?: number }[];
  classes: { id: string; name: string; fullName: string; active: boolean }[];
  departments: { id: string; name: string; fullName: string; active: boolean }[];
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
  /** The custom field that takes the PO number, when the company has one. */
  poField?: { id: string; name: string };
};
