import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { MAX_FILE_BYTES, XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import * as z from "zod";
import { listEntry, listKind } from "#features/books/names/contract.ts";
import { memberAccess, memberCall, realmQuery } from "#features/companies/contract.ts";

/** Status codes of result rows, numbered as in the specification; 1, 5 and 6 are reserved. */
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

/** Statuses that need a user's attention. */
export const PROBLEM_STATUSES: ReadonlySet<number> = new Set([
  RESULT_STATUS.templateDataError,
  RESULT_STATUS.failedContinuing,
  RESULT_STATUS.failedTerminated,
  RESULT_STATUS.failedUnknown,
]);

/** A problem with a cell in each row of a result; `column` starts at 0. */
const cellProblem = z.object({
  code: z.string(),
  field: z.string().nullable(),
  column: z.int(),
  message: z.string(),
});
export type CellProblem = z.output<typeof cellProblem>;

/** An invoice in QuickBooks: its number and its page. */
const postedInvoice = z.object({ number: z.string().nullable(), link: z.url() });

/**
 * Adjacent rows with equal status and message are one entry: rows "2" or "2-501". `problems` are those of
 * cells, if any. `intuit_tids` are the Intuit ids of the calls that the message is based on, at most three.
 */
export const uploadResult = z.object({
  status: z.int(),
  rows: z.string(),
  message: z.string(),
  /** The message without cell names, if it has some: equal for equal causes. */
  cause: z.string().optional(),
  /** True for a remark on the file; absent for the outcome of its invoices. */
  remark: z.literal(true).optional(),
  /** Number of invoices that the message counts, 0 if it is about part of one; absent if it counts none. */
  invoices: z.int().optional(),
  /** For a problem of the check: positions of its invoices in the file, as first and last of each range. */
  places: z.array(z.int()).optional(),
  /** True for rows that only other rows of their invoice hold back. */
  blocked: z.literal(true).optional(),
  /** The first invoice posted from these rows and, if there are several, the last. */
  posted: z.array(postedInvoice).optional(),
  problems: z.array(cellProblem).optional(),
  intuit_tids: z.array(z.string()).optional(),
});
export type UploadResult = z.output<typeof uploadResult>;

/** Invoices of an upload by outcome; all zero until the file is read. */
const invoiceCounts = z.object({
  total: z.int(),
  posted: z.int(),
  /** Not posted: the file, or QuickBooks, must be corrected first. */
  problems: z.int(),
  /** Sent without a clear answer: they may or may not be in QuickBooks. */
  unconfirmed: z.int(),
  open: z.int(),
  /** Posted by an earlier upload. */
  skipped: z.int(),
  undone: z.int(),
  /** Amount of the posted ones according to the file. */
  amount: z.string(),
  /** ISO codes of the invoices' currencies; amounts in several currencies are added as plain numbers. */
  currencies: z.array(z.string()),
});
export type InvoiceCounts = z.output<typeof invoiceCounts>;

export const uploadSummary = z.object({
  id: z.uuid(),
  filename: z.string(),
  timestamp: z.iso.datetime(),
  /** The first entries in row order; `result_count` is the total. */
  results: z.array(uploadResult),
  result_count: z.int(),
  /**
   * Data rows of the workbook by outcome; `skipped` is present if an earlier upload of the same file posted
   * some, `undone` once an undo removed some from the books.
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

/** Invoices of an upload that were posted from another file with its corrected problem rows. */
const uploadFix = z.object({ id: z.uuid(), filename: z.string(), posted: z.int(), amount: z.string() });
export type UploadFix = z.output<typeof uploadFix>;

/** `uploaded_by`: name of the uploading user, or their e-mail if no name is known. */
export const listedUpload = uploadSummary.extend({ uploaded_by: z.string(), fixes: z.array(uploadFix) });
export type ListedUpload = z.output<typeof listedUpload>;

export const uploadList = z.object({
  uploads: z.array(listedUpload),
  /** Number of the company's uploads; in a search, number of matches. */
  total_count: z.int(),
  in_process: z.boolean(),
});
export type UploadList = z.output<typeof uploadList>;

/**
 * `invoice`: an invoice is posted completely or not at all. `file`: in addition, nothing is sent while our
 * check finds a problem in the file. If QuickBooks itself then refuses an invoice, the others stay; the
 * upload can be undone.
 */
export const uploadMode = z.enum(["invoice", "file"]);
export type UploadMode = z.output<typeof uploadMode>;

/** An invoice of an upload, for display. */
export const ledgerInvoice = z.object({
  /** Sheet rows: "2, 5-9 and 12". */
  rows: z.string(),
  doc_number: z.string().nullable(),
  qbo_doc_number: z.string().nullable(),
  customer: z.string(),
  /** Read from the file; null if unreadable or contradictory. */
  amount: z.string().nullable(),
  /** ISO code of its currency; null if the books name none. */
  currency: z.string().nullable(),
  /** The invoice's page in QuickBooks; null if it is not there. */
  link: z.url().nullable(),
  /** Intuit's id of the call that caused the invoice's problem, for its support; null if there is none. */
  intuit_tid: z.string().nullable(),
});
export type LedgerInvoice = z.output<typeof ledgerInvoice>;

/** `void` keeps the invoice and its number with all amounts zero; `delete` removes it permanently. */
export const undoAction = z.enum(["void", "delete"]);
export type UndoAction = z.output<typeof undoAction>;

/**
 * Reason why an undo leaves an invoice alone.
 * - `paid`, `edited`, `closed_period`: it stays in the books, and in the upload as posted.
 * - `voided`, `deleted`: a user already removed it from the books; the undo records that.
 * - `refused`, `in_doubt`: QuickBooks rejected, or gave no clear answer; another undo retries it.
 * - `undone`: by an earlier undo. `not_posted`: it was never in the books.
 * - `unresolved`: QuickBooks never confirmed whether it was stored; a user must look for it.
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

/** Common part of the calls about one upload. */
export const uploadCall = { ...memberCall, params: z.object({ upload_id: z.uuid() }) };
/** The same for its results, which programs read too. */
export const resultsCall = { ...uploadCall, access: { ...memberAccess, keys: ["upload", "read"] } } as const;

/**
 * Invoices and their total amount from the file as decimal text, "1234.50"; unreadable amounts count as zero.
 */
export const share = z.object({ invoices: z.int(), amount: z.string() });

export const postInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices",
  summary: "Uploads an Excel or CSV file of invoices; they are posted in the background",
  ...memberCall,
  access: { ...memberAccess, keys: ["upload"] },
  query: realmQuery.extend({ mode: uploadMode.default("invoice") }),
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  status: 202,
  response: uploadSummary,
});

export const listUploads = endpoint({
  method: "GET",
  path: "/api/v1/invoices",
  summary: "Lists a company's uploads with their results, newest first; page by page, after the last ID seen",
  ...memberCall,
  access: { ...memberAccess, keys: ["read"] },
  query: realmQuery.extend({
    limit: z.coerce.number().int().min(1).max(200).default(20),
    /** Only uploads older than this one. */
    before: z.uuid().optional(),
    /** Only uploads with this text in the file name, or in a customer or number of their invoices. */
    search: lineText().max(100).optional(),
  }),
  response: uploadList,
});

const waiting = z.object({
  invoices: z.int(),
  /** The newest upload that has some. */
  upload_id: z.uuid().nullable(),
});

export const countWaiting = endpoint({
  method: "GET",
  path: "/api/v1/invoices/waiting",
  summary: "Counts the invoices that wait for a user, in all uploads of a company",
  ...memberCall,
  query: realmQuery,
  response: z.object({
    /** Not posted, and not in a file that fixed them, of the last 90 days. */
    problems: waiting,
    /** Sent without a clear answer. */
    unconfirmed: waiting,
  }),
});
export type WaitingInvoices = z.output<typeof countWaiting.response>;

/** Filter of result entries: all, only those that need a user's attention, or only completed ones. */
export const resultFilter = z.enum(["all", "problems", "completed"]);
export type ResultFilter = z.output<typeof resultFilter>;

export const listUploadResults = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/results",
  summary: "Lists every result of one upload",
  ...resultsCall,
  query: realmQuery.extend({ filter: resultFilter.default("all") }),
  response: z.object({ results: z.array(uploadResult) }),
});

export const downloadProblemRows = endpoint({
  cost: "heavy",
  method: "GET",
  path: "/api/v1/invoices/:upload_id/problem-rows",
  summary: "Downloads the uploaded workbook with only the rows that weren't posted, each with its reason",
  ...resultsCall,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

export const downloadTemplate = endpoint({
  cost: "heavy",
  method: "GET",
  path: "/api/v1/invoices/template",
  summary:
    "Downloads the upload template with drop-downs of the company's own customers, items, terms, classes, and locations",
  ...memberCall,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

export const unknownName = z.object({
  kind: listKind,
  text: z.string(),
  /** Rows that use it: "5, 7-9". */
  rows: z.string(),
  count: z.int(),
  /** Number of invoices that nothing else blocks. */
  unlocks: z.int(),
  suggestions: z.array(listEntry),
  /** Suggestion that may be preselected; null if digits differ or several are equally near. */
  preselected_id: z.string().nullable(),
});
export type UnknownName = z.output<typeof unknownName>;

const unknownNames = z.object({
  /** One page, in sheet order. */
  names: z.array(unknownName),
  total_count: z.int(),
  /** Value of `after` for the next page; null at the end. */
  next: z.int().nullable(),
});
export type UnknownNames = z.output<typeof unknownNames>;

export const listUnknownNames = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/unknown-names",
  summary: "Lists the names of an upload or a check that aren't in the books, with suggestions, page by page",
  ...uploadCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  response: unknownNames,
});
