import type { ListKind } from "#features/invoices/choices/contract.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";

/** What the rules know of a company's books. Dates are YYYY-MM-DD. */
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
  /** The day it is checked on. */
  today?: string;
  /** The books are closed up to and including this day. */
  closedThrough: string | null;
  /** ISO code; null when the books name none. */
  homeCurrency: string | null;
  /** Country of the company as Intuit names it, "US". */
  country: string;
  /** Fields that the company's preferences make QuickBooks drop. */
  droppedFields?: readonly Field[];
  /** The custom field that takes the PO number, when the company has one. */
  poField?: { id: string; name: string };
  /** Invoice numbers of the file that the books already hold. */
  usedNumbers?: ReadonlyMap<string, { id: string; customer: string; voided?: boolean }>;
  /** Ids by loose name that people of the company confirmed. */
  nameChoices?: Partial<Record<ListKind, ReadonlyMap<string, string>>>;
  /** Fields by header key that people of the company confirmed. */
  columnChoices?: ColumnChoices;
  /** How people of the company said its dates are written. */
  dateOrder?: WrittenOrder | null;
};
