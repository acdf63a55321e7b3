import * as z from "zod";
import { lineText } from "#contract/text.ts";
import { endpoint } from "#contract/endpoint.ts";
import { difference } from "#features/books/contract.ts";
import { correctedCell } from "#features/sheets/contract.ts";
import { leftOutInvoice } from "#features/invoices/check/contract.ts";
import { realmQuery } from "#features/companies/contract.ts";
import { ledgerInvoice, uploadCall, share, undoAction } from "#features/invoices/contract.ts";

const receiptState = z.enum(["posted", "rejected", "skipped", "unresolved", "stopped", "open", "undone"]);

/** Filter of the listed invoices: all, those that are in QuickBooks, or the others. */
const receiptFilter = z.enum(["all", "posted", "not_posted"]);
export type ReceiptFilter = z.output<typeof receiptFilter>;

const receiptInvoice = ledgerInvoice.extend({
  /** Days as QuickBooks gets them, "2026-11-02"; null where it gets none, and of an invoice that can't be made. */
  date: z.string().nullable(),
  due_date: z.string().nullable(),
  lines: z.int(),
  /** Answered by QuickBooks: the total with tax, and the tax in it; null when it never got there. */
  qbo_total: z.string().nullable(),
  qbo_tax: z.string().nullable(),
  state: receiptState,
  /** Reason why it is not posted, or its outcome in an undo or in QuickBooks; may have several lines. */
  sentence: z.string(),
});
export type ReceiptInvoice = z.output<typeof receiptInvoice>;

const flag = receiptInvoice.extend({ differences: z.array(difference) });

export const receipt = z.object({
  upload_id: z.uuid(),
  filename: z.string(),
  company: z.string(),
  /** Their name, their email where no name is known. */
  uploaded_by: z.string(),
  uploaded_at: z.iso.datetime(),
  /** Null while anything is open. */
  finished_at: z.iso.datetime().nullable(),
  duration_seconds: z.int().nullable(),
  /** ISO codes of what the invoices are billed in. Sums over several of them add plain numbers. */
  currencies: z.array(z.string()),
  /** Every invoice of the file = the sum of the eight shares below. */
  read: share,
  /** Left out by users in the review. */
  omitted: share,
  posted: share,
  rejected: share,
  skipped: share,
  unresolved: share,
  stopped: share,
  open: share,
  undone: share,
  /** How those were undone. */
  undo_actions: z.array(undoAction),
  /** Rejected invoices whose amount could not be read, or contradicts its quantity and rate. */
  unreadable_amounts: z.int(),
  /** Amounts that QuickBooks answered for the posted ones: without tax, the tax it added, and both together. */
  books: z.object({ invoices: z.int(), amount: z.string(), tax: z.string(), total: z.string() }),
  /** Tax as the file has it and as QuickBooks computed it, of the posted invoices that have one in the file. */
  tax_in_file: z.object({ amount: z.string(), computed: z.string() }).nullable(),
  /** `books.amount` less `posted.amount`. */
  difference: z.string(),
  /** Data rows of the file that are in no invoice above: of a file that was never read, all. */
  missing_rows: z.int(),
  /** Columns that may change what is billed and that users chose to ignore: their sum, null for words, by whom and when. */
  ignored: z.array(
    z.object({
      header: z.string(),
      sum: z.string().nullable(),
      by: z.string().nullable(),
      day: z.string().nullable(),
    }),
  ),
  /** Other sheets of the file with invoices, which were not read. */
  unread_sheets: z.array(z.string()),
  /**
   * Whether every row of the file is in an invoice above, QuickBooks' money and tax are the file's to the cent, and no such
   * column was ignored and no such sheet left.
   */
  agrees: z.boolean(),
  /** Cells that users corrected in the review. */
  corrections: z.array(correctedCell),
  /** The invoices that users left out in the review. */
  left_out: z.array(leftOutInvoice),
  /** Posted invoices that QuickBooks stored otherwise than they were sent: the first 1,000. */
  flags: z.array(flag),
  flag_count: z.int(),
  /** One page of those asked for, in the order of the sheet. */
  invoices: z.array(receiptInvoice),
  /** `after` of the next page; null at the end. */
  next: z.int().nullable(),
});
export type Receipt = z.output<typeof receipt>;

export const readReceipt = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/receipt",
  summary: "Control totals of an upload, its differences, and its invoices page by page",
  ...uploadCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(-1).max(1_000_000).default(-1),
    limit: z.coerce.number().int().min(1).max(5000).default(200),
    filter: receiptFilter.default("all"),
    /** Only invoices with this text in their customer or number. */
    search: lineText().max(100).optional(),
  }),
  response: receipt,
});
