import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import { receipt } from "#features/invoices/receipt/contract.ts";
import * as z from "zod";

const access = { kind: "user", group: "admin" } as const;

/** Maximum length of a reason, in characters. */
export const MAX_REASON = 300;

/** Why an operator changes something; it is kept in the audit trail. */
const reason = filledText(MAX_REASON);
const realmId = lineText().min(1).max(32);

const overview = z.object({
  /** Rows that an operator can settle, by list; counted up to 1,000. */
  waiting: z.record(z.string(), z.int()),
  /** Rows with a problem that only their company, its vendors or time can settle. */
  of_customers: z.record(z.string(), z.int()),
});
export type Overview = z.output<typeof overview>;

export const readOverview = endpoint({
  method: "GET",
  path: "/api/v1/admin/overview",
  summary: "Counts what an operator can resolve, and what only customers can",
  access,
  response: overview,
});

/** Most days that are counted at once. */
const MAX_DAYS = 31;

const day = z.object({
  invoices: z.int(),
  /** US dollars of the former, in cents; other currencies are not in it. */
  invoice_cents: z.int(),
  labels: z.int(),
  /** Proofs of delivery that were attached to invoices. */
  deliveries: z.int(),
  /** Reports of errors. */
  errors: z.int(),
});
export type Day = z.output<typeof day>;

export const readDays = endpoint({
  method: "GET",
  path: "/api/v1/admin/days",
  summary: "Counts what was done on each of up to 31 days, which begin when the caller's do",
  access,
  query: z.object({
    /** When each day begins, in milliseconds since 1970, in order and separated by commas; the last one ends now. */
    starts: z
      .string()
      .max(20 * MAX_DAYS)
      .regex(/^\d{13}(?:,\d{13})*$/, "must be times in milliseconds, separated by commas")
      .transform((text) => text.split(",").map((time) => new Date(Number(time))))
      .refine(
        (starts) => starts.every((start, at) => at === 0 || start > (starts[at - 1] ?? start)),
        "must be in order",
      ),
  }),
  response: z.object({ days: z.array(day) }),
});

const hit = z.object({
  /** Page of Admin that shows it. */
  page: z.string(),
  title: z.string(),
  note: z.string(),
  /** Text that finds it there. */
  search: z.string(),
});
export type Hit = z.output<typeof hit>;

export const searchAll = endpoint({
  method: "GET",
  path: "/api/v1/admin/search",
  summary: "Searches all companies, users, files, invoices, orders, packages, and support IDs",
  access,
  query: z.object({ text: lineText().trim().min(2).max(100) }),
  response: z.object({ hits: z.array(hit) }),
});

export const disconnectForSupport = endpoint({
  method: "POST",
  path: "/api/v1/admin/companies/disconnect",
  summary:
    "Ends our access to a company's books, with a reason; its subscriptions end with their paid period",
  access,
  body: z.object({ realm_id: realmId, reason }),
  response: z.object({}),
});

export const openFile = endpoint({
  method: "GET",
  path: "/api/v1/admin/files/:kind/:file",
  summary:
    "Opens an uploaded workbook or the UPS labels of a purchase, while support access is open; recorded in the company's audit trail",
  access,
  params: z.object({ kind: z.enum(["workbook", "label"]), file: z.uuid() }),
  query: z.object({ realm_id: realmId }),
  response: { mediaType: "application/octet-stream" },
});

export const openUpload = endpoint({
  method: "GET",
  path: "/api/v1/admin/uploads/:upload_id",
  summary:
    "Reads what a company sees of an upload: sums, and its first 200 invoices, while support access is open; recorded in the company's audit trail",
  access,
  params: z.object({ upload_id: z.uuid() }),
  query: z.object({ realm_id: realmId }),
  response: z.object({ receipt, ends_at: z.iso.datetime() }),
});
export type OpenedUpload = z.output<typeof openUpload.response>;

export const changeUser = endpoint({
  method: "POST",
  path: "/api/v1/admin/users/change",
  summary: "Signs a user out on all devices, or blocks or unblocks them, with a reason",
  access,
  body: z.object({
    email: lineText().min(1).max(200),
    change: z.enum(["sign-out", "block", "unblock"]),
    reason,
  }),
  response: z.object({
    /** Devices that were signed out. */
    devices: z.int(),
  }),
});

export const replayWebhook = endpoint({
  method: "POST",
  path: "/api/v1/admin/webhooks/replay",
  summary: "Processes a received event again, with a reason",
  access,
  body: z.object({ id: lineText().min(1).max(255), reason }),
  response: z.object({}),
});

export const resendMail = endpoint({
  method: "POST",
  path: "/api/v1/admin/mail/resend",
  summary: "Resends an email that was rejected or may not have arrived, with a reason",
  access,
  body: z.object({ id: z.uuid(), reason }),
  response: z.object({}),
});
