import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { MAX_FILE_BYTES, XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import * as z from "zod";
import { listEntry, listKind } from "#features/books/names/contract.ts";
import { memberCall, realmQuery } from "#features/companies/contract.ts";

/** Status codes of result rows, as the specification numbers them; 1, 5 and 6 are reserved. */
export const RESULT_STATUS = {
  completed: 0,
  templateDataError: 2,
  failedContinuing: 3,
  failedTerminated: 4,
  information: 7,
  noResults: 8,
  failedUnknown: 9,
  queued: 100,
  working: 101,
} as const;

/** A problem with a cell of each row of a result; `column` counts from 0. */
const cellProblem = z.object({
  code: z.string(),
  field: z.string().nullable(),
  column: z.int(),
  message: z.string(),
});
export type CellProblem = z.output<typeof cellProblem>;

/** An invoice in QuickBooks: its number there, and its page. */
const postedInvoice = z.object({ number: z.string().nullable(), link: z.url() });

/**
 * Neighbouring rows with equal status and message are one entry: rows "2" or "2-501". `problems` are those of cells,
 * where there are any. `intuit_tids` are Intuit's ids of exchanges that the message comes from, at most three.
 */
export const uploadResult = z.object({
  status: z.int(),
  rows: z.string(),
  message: z.string(),
  /** The message without the cells it is about, where it names some: equal for equal causes. */
  cause: z.string().optional(),
  /** True for a remark on the file; absent for the outcome of its invoices. */
  remark: z.literal(true).optional(),
  /** Number of invoices that the message counts, 0 where it is about part of one; absent when it counts none. */
  invoices: z.int().optional(),
  /** The first invoice posted from these rows and, when there are several, the last. */
  posted: z.array(postedInvoice).optional(),
  problems: z.array(cellProblem).optional(),
  intuit_tids: z.array(z.string()).optional(),
});
export type UploadResult = z.output<typeof uploadResult>;

/** Invoices of an upload by outcome; all zero while the file is not read yet. */
const invoiceCounts = z.object({
  total: z.int(),
  posted: z.int(),
  /** Not posted: the file, or QuickBooks, must be put right first. */
  problems: z.int(),
  /** Sent without a clear answer: they may be in QuickBooks or not. */
  unconfirmed: z.int(),
  open: z.int(),
  /** Posted by an earlier upload. */
  skipped: z.int(),
  undone: z.int(),
  /** Money of the posted ones as the file has it. */
  amount: z.string(),
  /** ISO codes of what the invoices are billed in; money of several is added as plain numbers. */
  currencies: z.array(z.string()),
});
export type InvoiceCounts = z.output<typeof invoiceCounts>;

export const uploadSummary = z.object({
  id: z.uuid(),
  filename: z.string(),
  timestamp: z.iso.datetime(),
  /** The first entries in row order; `result_count` is how many there are in all. */
  results: z.array(uploadResult),
  result_count: z.int(),
  /**
   * Data rows of the workbook by outcome; `skipped` is there when an earlier upload of the same file posted some, `undone`
   * once an undo took some out of the books again.
   */
  counts: z.object({
    total: z.int(),
    completed: z.int(),
    problems: z.int(),
    open: z.int(),
    skipped: z.int().optional(),
    undone: z.int().optional(),
  }),
  invoices: invoiceCounts,
});
export type UploadSummary = z.output<typeof uploadSummary>;
export type UploadCounts = UploadSummary["counts"];

/** Invoices of an upload that were posted from another file, which brought its problem rows corrected. */
const uploadFix = z.object({ id: z.uuid(), filename: z.string(), posted: z.int(), amount: z.string() });
export type UploadFix = z.output<typeof uploadFix>;

/** `uploaded_by`: name of who sent it, their e-mail where no name is known. */
export const listedUpload = uploadSummary.extend({ uploaded_by: z.string(), fixes: z.array(uploadFix) });
export type ListedUpload = z.output<typeof listedUpload>;

export const uploadList = z.object({
  uploads: z.array(listedUpload),
  /** Count of the company's uploads; of a search, count of matches. */
  total_count: z.int(),
  in_process: z.boolean(),
});
export type UploadList = z.output<typeof uploadList>;

/**
 * `invoice`: an invoice is posted completely or not at all. `file`: besides, nothing is sent while our check finds a problem
 * in the file. If QuickBooks itself then refuses an invoice, the others stay; the upload can be undone.
 */
export const uploadMode = z.enum(["invoice", "file"]);
export type UploadMode = z.output<typeof uploadMode>;

/** An invoice of an upload as it is shown. */
export const ledgerInvoice = z.object({
  /** Rows of the sheet: "2, 5-9 and 12". */
  rows: z.string(),
  doc_number: z.string().nullable(),
  qbo_doc_number: z.string().nullable(),
  customer: z.string(),
  /** Read from the file; null when it could not be read or contradicts itself. */
  amount: z.string().nullable(),
  /** ISO code of what it is billed in; null when the books name none. */
  currency: z.string().nullable(),
  /** The invoice's page in QuickBooks; null when it is not there. */
  link: z.url().nullable(),
  /** Intuit's id of the exchange that the invoice's problem comes from, for its support; null when there is none. */
  intuit_tid: z.string().nullable(),
});
export type LedgerInvoice = z.output<typeof ledgerInvoice>;

/** `void` keeps the invoice with all amounts zero, and its number; `delete` removes it for good. */
export const undoAction = z.enum(["void", "delete"]);
export type UndoAction = z.output<typeof undoAction>;

/**
 * Reason why an invoice is left alone.
 * - `paid`, `edited`, `closed_period`: it stays in the books, and in the upload as posted.
 * - `voided`, `deleted`: a user took it out of the books already; the undo records that.
 * - `refused`, `in_doubt`: QuickBooks refused, or gave no clear answer; a second undo tries again.
 * - `undone`: by an earlier undo. `not_posted`: it never got into the books.
 * - `unresolved`: QuickBooks never said whether it was stored; a user must look for it.
 */
export const undoReason = z.enum([
  "paid",
  "edited",
  "closed_period",
  "voided",
  "deleted",
  "refused",
  "in_doubt",
  "undone",
  "not_posted",
  "unresolved",
]);
export type UndoReason = z.output<typeof undoReason>;

/** Shape that the calls about one upload share. */
export const uploadCall = { ...memberCall, params: z.object({ upload_id: z.uuid() }) };

/** Invoices, and the money read from the file for them as decimal text, "1234.50"; unreadable money counts as zero. */
export const share = z.object({ invoices: z.int(), amount: z.string() });

export const postInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices",
  summary: "Takes a workbook or a CSV file of invoices; the invoices are made in the background",
  ...memberCall,
  query: realmQuery.extend({ mode: uploadMode.default("invoice") }),
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  status: 202,
  response: uploadSummary,
});

export const listUploads = endpoint({
  method: "GET",
  path: "/api/v1/invoices",
  summary: "Uploads of a company with their results, newest first; page by page with the last id seen",
  ...memberCall,
  query: realmQuery.extend({
    limit: z.coerce.number().int().min(1).max(200).default(20),
    /** Only uploads older than this one. */
    before: z.uuid().optional(),
    /** Only uploads with this text in their file's name, or in a customer or a number of their invoices. */
    search: lineText().max(100).optional(),
  }),
  response: uploadList,
});

/** Filter of result entries: all, only those that need a user, or only completed ones. */
export const resultFilter = z.enum(["all", "problems", "completed"]);
export type ResultFilter = z.output<typeof resultFilter>;

export const listUploadResults = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/results",
  summary: "Every result entry of one upload",
  ...uploadCall,
  query: realmQuery.extend({ filter: resultFilter.default("all") }),
  response: z.object({ results: z.array(uploadResult) }),
});

export const downloadProblemRows = endpoint({
  cost: "heavy",
  method: "GET",
  path: "/api/v1/invoices/:upload_id/problem-rows",
  summary: "The uploaded workbook with only the rows that were not posted, the reason beside each",
  ...uploadCall,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

export const downloadTemplate = endpoint({
  cost: "heavy",
  method: "GET",
  path: "/api/v1/invoices/template",
  summary:
    "The upload template with drop-downs of the company's own customers, items, terms, classes and locations",
  ...memberCall,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

export const unknownName = z.object({
  kind: listKind,
  text: z.string(),
  /** Rows that use it: "5, 7-9". */
  rows: z.string(),
  count: z.int(),
  /** Invoices that nothing else keeps from being posted. */
  unlocks: z.int(),
  suggestions: z.array(listEntry),
  /** The suggestion that may be chosen in advance; null where digits differ or several are as near. */
  preselected_id: z.string().nullable(),
});
export type UnknownName = z.output<typeof unknownName>;

const unknownNames = z.object({
  /** One page, in the order of the sheet. */
  names: z.array(unknownName),
  total_count: z.int(),
  /** `after` of the next page; null at the end. */
  next: z.int().nullable(),
});
export type UnknownNames = z.output<typeof unknownNames>;

export const listUnknownNames = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/unknown-names",
  summary: "Names of an upload or a check that the books do not have, with suggestions, page by page",
  ...uploadCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  response: unknownNames,
});
