import * as z from "zod";
import {
  correctedCell,
  correctedCells,
  MAX_CORRECTIONS,
  MAX_FILE_BYTES,
  problemGroup,
  typedDateOrder,
} from "#features/sheets/contract.ts";
import { endpoint } from "#contract/endpoint.ts";
import { memberCall, realmQuery } from "#features/companies/contract.ts";
import { uploadCall, share, uploadMode, uploadResult, uploadSummary } from "#features/invoices/contract.ts";

/** Invoices of one outcome; amounts in several currencies are added as plain numbers. */
const checked = share.extend({ rows: z.int() });

export const checkReport = z.object({
  /** Everything in the file: ready + rejected + skipped. */
  total: checked,
  ready: checked,
  rejected: checked,
  skipped: checked,
  /** Skipped invoices that were left out only because another file had an equal one; users can allow them. */
  equal_invoices: z.int(),
  customers: z.int(),
  /** ISO codes of the invoices' currencies; empty if the books name none. */
  currencies: z.array(z.string()),
  problems: z.array(problemGroup),
  /** Invoices that resemble each other or an earlier posted one: same customer, date and amount. */
  possible_duplicates: z.array(z.object({ rows: z.string(), text: z.string() })),
});
export type CheckReport = z.output<typeof checkReport>;

/** An invoice that a user left out of the upload: its first row, and all rows, "2, 5-9 and 12". */
export const leftOutInvoice = z.object({
  row: z.int(),
  rows: z.string(),
  doc_number: z.string().nullable(),
  /** Null if it could not be read. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
});
export type LeftOutInvoice = z.output<typeof leftOutInvoice>;

export const uploadCheck = z.object({
  id: z.uuid(),
  filename: z.string(),
  timestamp: z.iso.datetime(),
  /** `posting`: confirmed, and being compared with the books again; `posted`: now listed as an upload. */
  state: z.enum(["checking", "checked", "posting", "posted", "waiting", "failed"]),
  /** Reason why it waits or failed; empty otherwise. */
  reason: z.string(),
  mode: uploadMode,
  /** Increased whenever the check's result changes; a request to post names the one the user saw. */
  revision: z.int(),
  report: checkReport.nullable(),
  /** Differences found in the books at posting time; then nothing was posted. */
  changes: z.array(z.string()),
  corrections: z.array(correctedCell),
  left_out: z.array(leftOutInvoice),
  results: z.array(uploadResult),
  result_count: z.int(),
});
export type UploadCheck = z.output<typeof uploadCheck>;

/**
 * `answer`: has only unknown names, which a choice resolves; `fix`: a cell must be corrected; `posted`: an earlier upload
 * posted it.
 */
const reviewState = z.enum(["ready", "answer", "fix", "posted", "skipped", "held"]);

/** The upload that posted an invoice of the file before. */
const postedBefore = z.object({
  upload_id: z.uuid(),
  filename: z.string(),
  /** Day of the company, YYYY-MM-DD. */
  day: z.string(),
  /** E-mail of the user who uploaded it. */
  by: z.string(),
  doc_number: z.string().nullable(),
  amount: z.string().nullable(),
  /** How the file differs from what was posted; null if it doesn't. */
  differs: z.string().nullable(),
});

/** An invoice as it would be posted. */
const reviewInvoice = z.object({
  /** Index among the invoices of the file, starting at 0. */
  seq: z.int(),
  /** Rows of the sheet: "2, 5-9 and 12". */
  rows: z.string(),
  doc_number: z.string().nullable(),
  customer: z.string(),
  /** YYYY-MM-DD; null for an invoice with an error. */
  date: z.string().nullable(),
  /** As the file has it, else by the terms; then `is_due_derived`. */
  due_date: z.string().nullable(),
  is_due_derived: z.boolean(),
  /** Sheet rows that are its lines. */
  lines: z.int(),
  amount: z.string().nullable(),
  /** ISO code; null if the books name none. */
  currency: z.string().nullable(),
  state: reviewState,
  /** Null for an invoice that is new. */
  posted: postedBefore.nullable(),
});
export type ReviewInvoice = z.output<typeof reviewInvoice>;

/** A problem or remark about one cell of an invoice. */
const reviewProblem = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  text: z.string(),
  row: z.int(),
  /** The row as users find it: "7", or "March!7" where several sheets were read. */
  place: z.string(),
  /** The field of the sheet and the template's header of it; null when the problem concerns none. */
  field: z.string().nullable(),
  header: z.string().nullable(),
  /** Content of the cell; empty for a blank one. */
  value: z.string(),
  /** Most likely correction, for a user to confirm; null if there is none. */
  suggestion: z.string().nullable(),
});
export type ReviewProblem = z.output<typeof reviewProblem>;

/** A line as it would be sent to QuickBooks; for an invoice with a problem, as far as it could be read. */
const reviewLine = z.object({
  /** Its row in the file, and the same as users find it. */
  row: z.int(),
  place: z.string(),
  item: z.string().nullable(),
  description: z.string(),
  qty: z.number().nullable(),
  rate: z.number().nullable(),
  amount: z.number().nullable(),
  /** Values that the sheet leaves blank: calculated from the other two, or the price in QuickBooks. */
  filled: z.array(z.object({ field: z.enum(["qty", "rate"]), from: z.enum(["sheet", "books"]) })),
});
export type ReviewLine = z.output<typeof reviewLine>;

/** An invoice as an earlier upload posted it. */
const comparedInvoice = z.object({
  customer: z.string(),
  date: z.string(),
  due_date: z.string().nullable(),
  amount: z.string().nullable(),
  /** With the rows of the file that posted it. */
  lines: z.array(reviewLine),
});
export type ComparedInvoice = z.output<typeof comparedInvoice>;

const seenQuery = realmQuery.extend({ revision: z.coerce.number().int().min(0) });

export const checkInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks",
  summary: "Checks a workbook against the books without writing to them",
  ...memberCall,
  query: realmQuery.extend({
    mode: uploadMode.default("invoice"),
    /** The upload whose problem rows the file contains. */
    fixes: z.uuid().optional(),
  }),
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  status: 202,
  response: uploadSummary,
});

export const readCheck = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "Returns what a check found",
  ...uploadCall,
  response: uploadCheck,
});

export const listCheckInvoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/invoices",
  summary: "Lists every invoice of a check as it would be posted, in sheet order",
  ...uploadCall,
  response: z.object({ revision: z.int(), invoices: z.array(reviewInvoice) }),
});

export const readCheckInvoice = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/invoices/:seq",
  summary: "Returns the lines of one invoice of a check, and its problems",
  ...uploadCall,
  params: uploadCall.params.extend({ seq: z.coerce.number().int().min(0).max(1_000_000) }),
  response: z.object({
    lines: z.array(reviewLine),
    problems: z.array(reviewProblem),
    /** The same invoice as posted before; null for an invoice that is new. */
    posted: comparedInvoice.nullable(),
  }),
});

/** A cell that blocks its invoice. */
const checkError = reviewProblem.extend({
  seq: z.int(),
  doc_number: z.string().nullable(),
  date_order: typedDateOrder,
});
export type CheckError = z.output<typeof checkError>;

export const listCheckErrors = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/errors",
  summary: "Lists the cells that keep a check's invoices from being posted, in sheet order, page by page",
  ...uploadCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(-1).max(1_000_000).default(-1),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: z.object({
    /** All errors of this many invoices. */
    errors: z.array(checkError),
    /** Value of `after` for the next page; null at the end. */
    next: z.int().nullable(),
  }),
});

export const checkAgain = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/again",
  summary: "Checks the stored file again, with corrected cells or in another mode",
  ...uploadCall,
  query: seenQuery,
  body: z.object({
    /** Setting a cell to the file's own value removes its correction. */
    cells: correctedCells,
    /** Rows of invoices to leave out of the upload, or to put back. */
    invoices: z
      .array(z.object({ row: z.int().min(1), is_left_out: z.boolean() }))
      .max(MAX_CORRECTIONS)
      .default([]),
    /** Whether one error blocks all invoices; unchanged if omitted. */
    mode: uploadMode.optional(),
  }),
  status: 202,
  response: z.object({}),
});

export const postCheck = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/post",
  summary: "Posts exactly what the check showed, or returns what has changed in the books since",
  ...uploadCall,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const allowDuplicates = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/equal-invoices",
  summary: "Checks again, and treats invoices identical to those of other files as new",
  ...uploadCall,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const dropCheck = endpoint({
  method: "DELETE",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "Deletes a check that wasn't posted",
  ...uploadCall,
  response: z.object({}),
});
