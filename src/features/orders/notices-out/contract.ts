import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { ordersAccess as access } from "#features/orders/contract.ts";
import * as z from "zod";

export const X12 = "application/edi-x12";

const state = z.enum(["pending", "sent", "accepted", "rejected", "overdue", "withdrawn"]);

/** A notice for the retailer, where its order or its labels are shown. */
export const noticeView = z.object({
  id: z.uuid(),
  /**
   * Notices in XML have no answer, and stay `sent`. `pending`: it leaves at `at`, or has left when nothing confirms it yet. `sent`: it left at `at`. `accepted`, `rejected`: the
   * retailer's 997 said so at `at`. `overdue`: it left at `at`, 24 hours or more ago, and no 997 came. `withdrawn`: it never
   * leaves, since its order was restored or its labels were voided.
   */
  state,
  at: z.iso.datetime(),
  /** Why the retailer rejects it, or accepts it with errors. */
  problems: z.array(z.string()),
});
export type NoticeView = z.output<typeof noticeView>;

const notice = noticeView.extend({
  kind: z.enum(["cancel", "ship", "invoice"]),
  order_id: z.uuid(),
  po_number: z.string(),
  /** It can be downloaded. */
  is_due: z.boolean(),
  control_number: z.int().nullable(),
});
export type Notice = z.output<typeof notice>;

export const listNotices = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/notices",
  summary: "Lists ship notices and cancellation confirmations for the retailer, newest first",
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    /** `due`: those to deliver now. */
    show: z.enum(["all", "due"]).default("all"),
  }),
  response: z.object({ notices: z.array(notice) }),
});

const message = z.object({
  id: z.uuid(),
  /** The retailer's document: an answer to a transmission (TA1), a credit or debit (812), a payment (820), its own program's answer (824), a change of an order that isn't used (860), or a text (864). */
  document: z.enum(["TA1", "812", "820", "824", "860", "864"]),
  /** `refused`: the document was not taken. `attention`: it was, but this should be read. */
  meaning: z.enum(["refused", "attention", "note"]),
  sentences: z.array(z.string()),
  at: z.iso.datetime(),
  order_id: z.uuid().nullable(),
});
export type RetailerMessageView = z.output<typeof message>;

const orderDocument = notice.extend({
  /** An X12 set, or an action of CommerceHub's XML. */
  document: z.enum(["810", "855", "856", "v_cancel", "v_invoice", "v_ship"]),
  invoice_number: z.string().nullable(),
  /** The purchase of labels that it is about; null if it is about all of the order. */
  shipment_id: z.uuid().nullable(),
  planned_at: z.iso.datetime(),
  sent_at: z.iso.datetime().nullable(),
  /** Time of the answer or withdrawal. */
  ended_at: z.iso.datetime().nullable(),
  messages: z.array(message),
});
export type OrderDocument = z.output<typeof orderDocument>;

export const listOrderDocuments = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/order-documents",
  summary:
    "Lists the documents sent to the retailer about an order, oldest first, with their states and the retailer's answers; `messages` are about the order itself",
  query: z.object({ order_id: z.uuid() }),
  response: z.object({ documents: z.array(orderDocument), messages: z.array(message) }),
});

export const listRetailerMessages = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/retailer-messages",
  summary: "Lists the retailers' answers, messages, payments, and credits, newest first",
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
  response: z.object({ messages: z.array(message) }),
});

export const sendInvoiceAgain = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/notices/send-again",
  summary: "Resends an invoice document that the retailer rejected, under a new control number",
  body: z.strictObject({ id: z.uuid() }),
  response: z.object({ id: z.uuid() }),
});

export const rejectInvoice = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/notices/reject",
  summary: "Marks an invoice document about which the retailer sent a text (864) as rejected by it",
  body: z.strictObject({ id: z.uuid() }),
  response: z.object({}),
});

export const downloadNotices = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/notices/download",
  summary:
    "Downloads notices for the retailer as one file: X12, or XML for orders that came in CommerceHub's XML. They count as sent from then on. The same notices give the same file.",
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(200) }),
  response: { mediaType: X12 },
});

const settings = z.strictObject({
  /** HH:MM in the company's time zone: notices leave then, or at the first scan if that comes earlier. */
  cut_off: lineText().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time like 17:00"),
  /** The company's X12 id at the retailer; empty for the one that the retailer's own files name. */
  sender_id: lineText()
    .trim()
    .regex(/^([A-Za-z0-9][A-Za-z0-9 _-]{1,14})?$/, "must have 2 to 15 letters and digits"),
});
export type NoticeSettings = z.output<typeof settings>;

export const readNoticeSettings = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/notice-settings",
  summary: "Returns when notices are sent to the retailer, and under which sender id",
  response: settings.extend({ time_zone: z.string() }),
});

export const changeNoticeSettings = endpoint({
  access: { ...access, admin: true },
  method: "PUT",
  path: "/api/v1/labels/notice-settings",
  summary:
    "Changes when notices are sent to the retailer, and under which sender id; waiting notices are sent at the new time, or today at the old one if the new one has passed",
  body: settings,
  response: z.object({}),
});
