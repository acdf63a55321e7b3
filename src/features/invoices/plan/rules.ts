import type { Found, Problem } from "#formats/table/problem.ts";
import type { Field, Table } from "#features/invoices/workbook/rules-sheet.ts";
import type { UsedNumbers } from "#features/books/index.ts";
import type { NewEntry } from "#features/invoices/ledger/store-entries.ts";
import type { ListKind } from "#features/books/names/contract.ts";
import { type BooksLists, indexNames } from "#features/books/reading.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import type { Fixed } from "#formats/table/amounts.ts";
import type { Correction } from "#formats/table/corrections.ts";

/**
 * Input of the rules: the books, the choices that users of the company confirmed, and today's date. Dates are
 * YYYY-MM-DD.
 */
export type PlanLists = BooksLists & {
  /** Day of the check. */
  today?: string;
  /** Invoice numbers of the file that the books already have. */
  usedNumbers?: UsedNumbers;
  /** Ids by loose name that users of the company confirmed. */
  nameChoices?: Partial<Record<ListKind, ReadonlyMap<string, string>>>;
  /** Fields by header key that users of the company confirmed. */
  columnChoices?: ColumnChoices;
  /** Order of day and month that users of the company confirmed. */
  dateOrder?: WrittenOrder | null;
  /** Cells that users corrected; they override those of the file. */
  corrections?: readonly Correction[];
};

/** Common input of all checks of one file. */
export type PlanContext = {
  table: Table;
  lists: PlanLists;
  /** Problems found while reading cells, by row. */
  cellProblems: ReadonlyMap<number, readonly Problem[]>;
} & ReturnType<typeof indexLists>;

/** Indexes the lists of the books by name. */
export function indexLists(lists: PlanLists) {
  return {
    customers: indexNames(lists.customers, { chosen: lists.nameChoices?.customer }),
    items: indexNames(lists.items, { chosen: lists.nameChoices?.item }),
    terms: indexNames(lists.terms, { chosen: lists.nameChoices?.term, areTerms: true }),
    classes: indexNames(lists.classes, { chosen: lists.nameChoices?.class }),
    departments: indexNames(lists.departments, { chosen: lists.nameChoices?.department }),
  };
}

/** Records a problem of a field. */
export type Note = (field: Field, found: Found) => void;

/** An invoice after all its rows are checked. */
export type CheckedInvoice = {
  docNumber: string | null;
  customer: BooksLists["customers"][number] | undefined;
  terms: Reference | undefined;
  department: Reference | undefined;
  lines: Line[];
  charges: Charges;
  exchangeRate: number | undefined;
  /** Text or date of an invoice field; undefined when blank. */
  value: (field: Field) => string | undefined;
};

/**
 * One checked row. `cents` is undefined if the row has an error about its amount. A line without an item is
 * text only.
 */
export type Line = {
  item: BooksLists["items"][number] | undefined;
  description: string | undefined;
  qty: Fixed | undefined;
  rate: Fixed | undefined;
  cents: bigint | undefined;
  serviceDate: string | undefined;
  lineClass: Reference | undefined;
  taxable: boolean | undefined;
  /** Discount of this line, which becomes part of the invoice's. */
  discountCents?: bigint | undefined;
};

/** Amounts of an invoice outside its lines, in whole cents. */
export type Charges = {
  /** QuickBooks' own discount line; `percent` if it is exactly one percentage of the lines. */
  discount: { cents: bigint; percent: Fixed | undefined } | undefined;
  /** QuickBooks' own shipping line. */
  shippingCents: bigint | undefined;
  /** Lines with an item named like the column. */
  lines: { item: BooksLists["items"][number]; cents: bigint }[];
  depositCents: bigint | undefined;
  /** Sum that they add to the lines; undefined if one of them has a problem. */
  cents: bigint | undefined;
};

/** Reference of an invoice to a list entry. */
export type Reference = { id: string; name: string };

/**
 * An invoice as stored in the ledger. `key` identifies it within the file; the same file gives the same keys.
 * `draft` is null if any problem is an error: an invoice is sent completely or not at all.
 */
export type PlannedInvoice = Omit<NewEntry, "seq" | "verdict" | "cause" | "fingerprint">;

/** `invoices` are in the order of their first rows, and every data row belongs to exactly one of them. */
export type Plan = { dataRows: number; invoices: PlannedInvoice[]; notes: Problem[] };

/** A plan whose invoices are checked lazily, one by one; they can be read once. */
export type PlanInSteps = Omit<Plan, "invoices"> & { invoices: Iterable<PlannedInvoice> };
