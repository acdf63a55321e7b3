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

/** Invoices of one outcome; money of several currencies is added as plain numbers. */
const checked = share.extend({ rows: z.int() });

export const checkReport = z.object({
  /** Everything read from the file = ready + rejected + skipped. */
  total: checked,
  ready: checked,
  rejected: checked,
  skipped: checked,
  /** Skipped ones that were left out only because another file had an equal one; they can be allowed. */
  equal_invoices: z.int(),
  customers: z.int(),
  /** ISO codes of what the invoices are billed in; empty when the books name none. */
  currencies: z.array(z.string()),
  problems: z.array(problemGroup),
  /** Invoices that look like one another or like one posted before: same customer, date and amount. */
  possible_duplicates: z.array(z.object({ rows: z.string(), text: z.string() })),
});
export type CheckReport = z.output<typeof checkReport>;

/** An invoice that a user left out of the upload: its first row, and all of them, "2, 5-9 and 12". */
export const leftOutInvoice = z.object({
  row: z.int(),
  rows: z.string(),
  doc_number: z.string().nullable(),
  /** Null where it could not be read. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
});
export type LeftOutInvoice = z.output<typeof leftOutInvoice>;

export const uploadCheck = z.object({
  id: z.uuid(),
  filename: z.string(),
  timestamp: z.iso.datetime(),
  /** `posting`: asked for and being compared with the books once more; `posted`: it is among the uploads now. */
  state: z.enum(["checking", "checked", "posting", "posted", "waiting", "failed"]),
  /** Reason why it waits or failed; empty otherwise. */
  reason: z.string(),
  mode: uploadMode,
  /** Raised whenever the check finds something else; who asks to post says which one was seen. */
  revision: z.int(),
  report: checkReport.nullable(),
  /** Differences in the books when it was to be posted; then nothing was posted. */
  changes: z.array(z.string()),
  corrections: z.array(correctedCell),
  left_out: z.array(leftOutInvoice),
  results: z.array(uploadResult),
  result_count: z.int(),
});
export type UploadCheck = z.output<typeof uploadCheck>;

/** `answer`: only names are unknown in it, which a choice settles; `fix`: a cell has to be corrected. */
const reviewState = z.enum(["ready", "answer", "fix", "skipped", "held"]);

/** An invoice as it would be posted. */
const reviewInvoice = z.object({
  /** Its place among the invoices of the file, from 0. */
  seq: z.int(),
  /** Rows of the sheet: "2, 5-9 and 12". */
  rows: z.string(),
  doc_number: z.string().nullable(),
  customer: z.string(),
  /** YYYY-MM-DD; null in an invoice with an error. */
  date: z.string().nullable(),
  due_date: z.string().nullable(),
  /** Rows of the sheet that are its lines. */
  lines: z.int(),
  amount: z.string().nullable(),
  /** ISO code; null when the books name none. */
  currency: z.string().nullable(),
  state: reviewState,
});
export type ReviewInvoice = z.output<typeof reviewInvoice>;

/** A problem or a remark about one cell of an invoice. */
const reviewProblem = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  text: z.string(),
  row: z.int(),
  /** The field of the sheet and the template's header of it; null when the problem concerns none. */
  field: z.string().nullable(),
  header: z.string().nullable(),
  /** Content of the cell; empty for a blank one. */
  value: z.string(),
  /** Most likely correction, for a user to confirm; null when there is none. */
  suggestion: z.string().nullable(),
});
export type ReviewProblem = z.output<typeof reviewProblem>;

/** A line as QuickBooks would get it; of an invoice with a problem as far as it is understood. */
const reviewLine = z.object({
  /** Its row in the file. */
  row: z.int(),
  item: z.string().nullable(),
  description: z.string(),
  qty: z.number().nullable(),
  rate: z.number().nullable(),
  amount: z.number().nullable(),
  /** Figures that the sheet leaves blank: calculated from its other two, or the price in QuickBooks. */
  filled: z.array(z.object({ field: z.enum(["qty", "rate"]), from: z.enum(["sheet", "books"]) })),
});
export type ReviewLine = z.output<typeof reviewLine>;

const seenQuery = realmQuery.extend({ revision: z.coerce.number().int().min(0) });

export const checkInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks",
  summary: "Checks a workbook against the books without writing to them",
  ...memberCall,
  query: realmQuery.extend({
    mode: uploadMode.default("invoice"),
    /** The upload whose problem rows the file brings. */
    fixes: z.uuid().optional(),
  }),
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  status: 202,
  response: uploadSummary,
});

export const readCheck = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "What a check found",
  ...uploadCall,
  response: uploadCheck,
});

export const listCheckInvoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/invoices",
  summary: "Every invoice of a check as it would be posted, in the order of the sheet",
  ...uploadCall,
  response: z.object({ revision: z.int(), invoices: z.array(reviewInvoice) }),
});

export const readCheckInvoice = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/invoices/:seq",
  summary: "The lines of one invoice of a check, and its problems",
  ...uploadCall,
  params: uploadCall.params.extend({ seq: z.coerce.number().int().min(0).max(1_000_000) }),
  response: z.object({ lines: z.array(reviewLine), problems: z.array(reviewProblem) }),
});

/** One of the cells that keep an invoice from being posted. */
const checkError = reviewProblem.extend({
  seq: z.int(),
  doc_number: z.string().nullable(),
  date_order: typedDateOrder,
});
export type CheckError = z.output<typeof checkError>;

export const listCheckErrors = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id/errors",
  summary: "Cells that keep invoices of a check from being posted, in the order of the sheet, page by page",
  ...uploadCall,
  query: realmQuery.extend({
    after: z.coerce.number().int().min(-1).max(1_000_000).default(-1),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: z.object({
    /** All those of so many invoices. */
    errors: z.array(checkError),
    /** `after` of the next page; null at the end. */
    next: z.int().nullable(),
  }),
});

export const checkAgain = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/again",
  summary: "Checks the stored file once more, with cells that a user corrected or in another mode",
  ...uploadCall,
  query: seenQuery,
  body: z.object({
    /** A cell that is given what the file has there is no longer a corrected one. */
    cells: correctedCells,
    /** Rows of invoices that are to be left out of the upload, or no longer. */
    invoices: z
      .array(z.object({ row: z.int().min(1), is_left_out: z.boolean() }))
      .max(MAX_CORRECTIONS)
      .default([]),
    /** Whether one fault is to keep all invoices back; as it is when left out. */
    mode: uploadMode.optional(),
  }),
  status: 202,
  response: z.object({}),
});

export const postCheck = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/post",
  summary: "Posts exactly what was seen of a check, or says what changed in the books since",
  ...uploadCall,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const allowDuplicates = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/equal-invoices",
  summary: "Checks once more, taking invoices that equal ones of other files for new ones",
  ...uploadCall,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const dropCheck = endpoint({
  method: "DELETE",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "Forgets a check that was not posted",
  ...uploadCall,
  response: z.object({}),
});
