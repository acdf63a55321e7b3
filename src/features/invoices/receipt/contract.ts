import * as z from "zod";
import { lineText } from "#contract/text.ts";
import { endpoint } from "#contract/endpoint.ts";
import { difference } from "#features/books/contract.ts";
import { correctedCell } from "#features/sheets/contract.ts";
import { leftOutInvoice } from "#features/invoices/check/contract.ts";
import { realmQuery } from "#features/companies/contract.ts";
import { ledgerInvoice, resultsCall, share, undoAction } from "#features/invoices/contract.ts";

const receiptState = z.enum(["posted", "rejected", "skipped", "unresolved", "stopped", "open", "undone"]);

/** Filter of the listed invoices: all, those in QuickBooks, or the others. */
const receiptFilter = z.enum(["all", "posted", "not_posted"]);
export type ReceiptFilter = z.output<typeof receiptFilter>;

const receiptInvoice = ledgerInvoice.extend({
  /**
   * Dates as sent to QuickBooks, "2026-11-02"; null if none is sent, and for an invoice that can't be
   * created.
   */
  date: z.string().nullable(),
  /** As the file has it, else as QuickBooks worked it out or will by the terms; then `is_due_derived`. */
  due_date: z.string().nullable(),
  is_due_derived: z.boolean(),
  lines: z.int(),
  /** Total with tax, and its tax, as QuickBooks answered; null if it was never there. */
  qbo_total: z.string().nullable(),
  qbo_tax: z.string().nullable(),
  state: receiptState,
  /** True for a rejected one in which only names are unknown. */
  is_unanswered: z.boolean(),
  /** Why it is not posted, or its outcome in an undo or in QuickBooks; can have several lines. */
  sentence: z.string(),
  /** For an unresolved invoice: its position in the file, by which a user answers whether it is in QuickBooks. */
  seq: z.int().optional(),
});
export type ReceiptInvoice = z.output<typeof receiptInvoice>;

const flag = receiptInvoice.extend({ differences: z.array(difference) });

export const receipt = z.object({
  upload_id: z.uuid(),
  filename: z.string(),
  company: z.string(),
  /** Name of the uploading user, or their e-mail if no name is known. */
  uploaded_by: z.string(),
  uploaded_at: z.iso.datetime(),
  /** Null while anything is open. */
  finished_at: z.iso.datetime().nullable(),
  duration_seconds: z.int().nullable(),
  /** ISO codes of the invoices' currencies. Sums over several currencies add plain numbers. */
  currencies: z.array(z.string()),
  /** Every invoice of the file: the sum of the eight shares below. */
  read: share,
  /** Left out by users in the review. */
  omitted: share,
  posted: share,
  rejected: share,
  /** Rejected invoices with no problem but unknown names, which answers settle. */
  unanswered: share,
  skipped: share,
  unresolved: share,
  stopped: share,
  open: share,
  undone: share,
  /** How those were undone. */
  undo_actions: z.array(undoAction),
  /** Rejected invoices whose amount is unreadable, or contradicts their quantity and rate. */
  unreadable_amounts: z.int(),
  /** Amounts that QuickBooks answered for the posted ones: without tax, the tax it added, and the total. */
  books: z.object({ invoices: z.int(), amount: z.string(), tax: z.string(), total: z.string() }),
  /** Tax in the file and tax computed by QuickBooks, for posted invoices with tax in the file. */
  tax_in_file: z.object({ amount: z.string(), computed: z.string() }).nullable(),
  /** `books.amount` minus `posted.amount`. */
  difference: z.string(),
  /** Data rows of the file that belong to no invoice above; all rows if the file was never read. */
  missing_rows: z.int(),
  /** Ignored columns that may change what is billed: their sum, null for text, who ignored them and when. */
  ignored: z.array(
    z.object({
      header: z.string(),
      sum: z.string().nullable(),
      by: z.string().nullable(),
      day: z.string().nullable(),
    }),
  ),
  /** Totals that the file has between or below its rows, and whether each is the sum of rows above it: the first 50 of a sheet. */
  file_totals: z.array(z.object({ row: z.string(), amount: z.string(), agrees: z.boolean() })),
  /** Other sheets of the file with invoices, which were not read. */
  unread_sheets: z.array(z.string()),
  /**
   * Whether every row of the file is in an invoice above, QuickBooks' money and tax are the file's to the cent, and no such
   * column was ignored, no such sheet left, and the file's own totals are the sums of its rows.
   */
  agrees: z.boolean(),
  /** Cells that users corrected in the review. */
  corrections: z.array(correctedCell),
  /** Invoices that users left out in the review. */
  left_out: z.array(leftOutInvoice),
  /** Posted invoices that QuickBooks stored differently from what was sent: the first 1,000. */
  flags: z.array(flag),
  flag_count: z.int(),
  /** One page of the requested ones, in sheet order. */
  invoices: z.array(receiptInvoice),
  /** Value of `after` for the next page; null at the end. */
  next: z.int().nullable(),
});
export type Receipt = z.output<typeof receipt>;

export const readReceipt = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/receipt",
  summary: "Returns an upload's control totals, its differences, and its invoices, page by page",
  ...resultsCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(-1).max(1_000_000).default(-1),
    limit: z.coerce.number().int().min(1).max(5000).default(200),
    filter: receiptFilter.default("all"),
    /** Only invoices with this text in their customer or number. */
    search: lineText().max(100).optional(),
  }),
  response: receipt,
});
