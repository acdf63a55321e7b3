import * as z from "zod";
import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import { endpoint } from "#contract/endpoint.ts";
import { memberAccess, realmQuery } from "#features/companies/contract.ts";
import { uploadMode, uploadResult, uploadSummary } from "#features/invoices/contract.ts";

/** Invoices and money of one outcome; money as decimal text, of several currencies added as plain numbers. */
const share = z.object({ invoices: z.int(), rows: z.int(), amount: z.string() });

/** Problems with one cause: a sentence without its cell, how often, and where. */
export const problemGroup = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  text: z.string(),
  count: z.int(),
  /** Letters of the column, "B"; empty where the sheet has no such column. */
  column: z.string().default(""),
  /** Rows, neighbours joined: "5, 7-9". */
  rows: z.string(),
});
export type ProblemGroup = z.output<typeof problemGroup>;

export const checkReport = z.object({
  /** Everything read from the file = ready + rejected + skipped. */
  total: share,
  ready: share,
  rejected: share,
  skipped: share,
  /** Of the skipped ones, those left out only because another file had an equal one; they can be added. */
  equal_invoices: z.int(),
  customers: z.int(),
  /** ISO codes of what the invoices are billed in; empty when the books name none. */
  currencies: z.array(z.string()),
  problems: z.array(problemGroup),
  /** Invoices that look like one another or like one posted before: same customer, date and amount. */
  possible_duplicates: z.array(z.object({ rows: z.string(), text: z.string() })),
});
export type CheckReport = z.output<typeof checkReport>;

export const uploadCheck = z.object({
  id: z.uuid(),
  filename: z.string(),
  timestamp: z.iso.datetime(),
  /** `posting`: asked for and being compared with the books once more; `posted`: it is among the uploads now. */
  state: z.enum(["checking", "checked", "posting", "posted", "waiting", "failed"]),
  /** Why it waits or failed; empty otherwise. */
  reason: z.string(),
  mode: uploadMode,
  /** Raised whenever the check finds something else; who asks to post says which one was seen. */
  revision: z.int(),
  report: checkReport.nullable(),
  /** What was different in the books when it was to be posted; then nothing was posted. */
  changes: z.array(z.string()),
  results: z.array(uploadResult),
  result_count: z.int(),
});
export type UploadCheck = z.output<typeof uploadCheck>;

const params = z.object({ upload_id: z.uuid() });
const seenQuery = realmQuery.extend({ revision: z.coerce.number().int().min(0) });

export const checkInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks",
  summary: "Checks a workbook against the books without writing to them",
  access: memberAccess,
  query: realmQuery.extend({ mode: uploadMode.default("invoice") }),
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  status: 202,
  response: uploadSummary,
});

export const readCheck = endpoint({
  method: "GET",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "What a check found",
  access: memberAccess,
  params,
  query: realmQuery,
  response: uploadCheck,
});

export const postCheck = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/post",
  summary: "Posts exactly what was seen of a check, or says what changed in the books since",
  access: memberAccess,
  params,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const addEqualInvoices = endpoint({
  method: "POST",
  path: "/api/v1/invoices/checks/:upload_id/equal-invoices",
  summary: "Checks once more, taking invoices that equal ones of other files for new ones",
  access: memberAccess,
  params,
  query: seenQuery,
  status: 202,
  response: z.object({}),
});

export const dropCheck = endpoint({
  method: "DELETE",
  path: "/api/v1/invoices/checks/:upload_id",
  summary: "Forgets a check that was not posted",
  access: memberAccess,
  params,
  query: realmQuery,
  response: z.object({}),
});
