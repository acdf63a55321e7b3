import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import { ordersAccess as access, waitingView } from "#features/orders/contract.ts";
import * as z from "zod";

export const matchKind = z.enum(["customer", "item", "term", "class", "department"]);
export type MatchKind = z.output<typeof matchKind>;

/** `next` has nothing before it, `differs` waits for a user, `refused` was refused by the retailer or by QuickBooks. */
export const mark = z.enum(["done", "next", "waiting", "differs", "refused"]);
export type Mark = z.output<typeof mark>;

/** Ordered, packed, labels, ship notice, invoice, accepted, delivered. */
const marks = z.array(mark).length(7);

export const standing = z.enum([
  "to_ship",
  "notice",
  "ready",
  "differs",
  "refused",
  "posting",
  "retailer",
  "done",
  "cancelled",
]);
export type Standing = z.output<typeof standing>;

const thread = z.object({
  order_id: z.uuid(),
  po_number: z.string(),
  customer_name: z.string(),
  standing,
  /** Where it stands, in a few words. */
  words: z.string(),
  marks,
  /** Decimal dollars: what is billed or to bill, else what was ordered. */
  amount: z.string(),
});
export type Thread = z.output<typeof thread>;

const share = z.object({ orders: z.int(), amount: z.string() });

/** A name of a retailer's orders that nothing in the books has. */
const question = z.object({
  /** Id of the retailer. */
  partner: z.string(),
  kind: matchKind,
  /** Empty for the retailer itself. */
  written: z.string(),
  description: z.string(),
  suggestions: z.array(z.object({ id: z.string(), name: z.string() })),
  orders: z.int(),
  amount: z.string(),
});
export type MatchQuestion = z.output<typeof question>;

export const THREAD_FILTERS = ["all", "ready", "differs", "retailer", "done"] as const;
const threadFilter = z.enum(THREAD_FILTERS);
export type ThreadFilter = z.output<typeof threadFilter>;

const threadList = z.object({
  /** Retailers with stored orders: the one with the latest order first. */
  retailers: z.array(z.string()).min(1),
  /** When the last order came in. */
  last_order_at: z.iso.datetime().nullable(),
  /** The same by the company's clock, with its zone: "Nov 27, 9:44 AM EST". */
  last_order_time: z.string(),
  shares: z.object({ all: share, ready: share, differs: share, retailer: share, done: share }),
  posting: z.int(),
  threads: z.array(thread),
  /** Orders of this filter and search. */
  total_count: z.int(),
  questions: z.array(question),
  posts_when_shipped: z.boolean(),
});
export type ThreadList = z.output<typeof threadList>;

export const listThreads = endpoint({
  access,
  method: "GET",
  path: "/api/v1/orders/threads",
  summary:
    "Lists orders with the progress of each, from the retailer's order to the accepted invoice, newest first",
  query: z.object({
    show: threadFilter.default("all"),
    search: lineText().max(100).default(""),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(25),
  }),
  response: threadList,
});

const threadLine = z.object({
  line: z.string(),
  sku: z.string(),
  description: z.string(),
  item: z.string().nullable(),
  ordered: z.string(),
  /** Decimal text, as in the order. */
  price: z.string(),
  ordered_amount: z.string(),
  shipped: z.string(),
  billed: z.string(),
  billed_amount: z.string(),
  /** The item's price in the books, where it is another one. */
  item_price: z.string().nullable(),
  /** The price in the books is above the order's, and no user said yet that the order's is billed. */
  asks_price: z.boolean(),
});

const orderInvoice = z.object({
  id: z.uuid(),
  state: z.enum(["draft", "posting", "posted", "linked"]),
  can_post: z.boolean(),
  waits: z.array(
    z.enum([
      "voided",
      "credit",
      "nothing",
      "customer",
      "sku",
      "terms",
      "no_price",
      "charge",
      "currency",
      "price",
      "books",
      "not_left",
      "order_waits",
      "canceled",
    ]),
  ),
  number: z.string().nullable(),
  /** Its page in QuickBooks. */
  link: z.url().nullable(),
  /** Its id in QuickBooks, for its dispute pack; null while the Tracking Service doesn't follow it. */
  pack_of: z.string().nullable(),
  customer: z.string().nullable(),
  terms: z.string().nullable(),
  /** The order's own words for its terms, while no terms in the books are matched to them. */
  unknown_terms: z.string().nullable(),
  ship_date: z.string(),
  tracking_numbers: z.array(z.string()),
  lines: z.array(threadLine),
  /** The order's own freight, allowance and total, for all of its pieces. */
  ordered_freight: z.string(),
  ordered_allowance: z.string(),
  ordered_total: z.string(),
  freight: z.string(),
  allowance: z.string(),
  total: z.string(),
  /** Why the last attempt did not post it. */
  problem: z.string(),
  /** Id of its latest document for the retailer, if the retailer rejected it and it can be resent. */
  rejected_document: z.uuid().nullable(),
  /** The same if the retailer has it and sent a text about it, for which it can be marked as rejected. */
  doubted_document: z.uuid().nullable(),
  /** The problem is a change in QuickBooks after the 810 that no user has handled. */
  asks_handled: z.boolean(),
  /** Its document for the retailer stays here, with reasons in the timeline: a user may have entered it in the portal. */
  asks_portal: z.boolean(),
  /** Stands for all that its questions are about; an answer repeats it. */
  about: z.string(),
  /** An invoice in the books with this PO number, which may be it. */
  theirs: z
    .object({
      id: z.string(),
      number: z.string(),
      date: z.string(),
      total: z.string(),
      link: z.url(),
      /** It has a tracking number of what is billed here. */
      has_tracking_number: z.boolean(),
    })
    .nullable(),
});
export type OrderInvoice = z.output<typeof orderInvoice>;

const step = z.object({
  name: z.string(),
  mark,
  /** Events and their times, one line each; `time` is by the company's clock, with its zone, and empty without one. */
  facts: z.array(z.object({ text: z.string(), at: z.iso.datetime().nullable(), time: z.string() })),
});

const threadView = z.object({
  thread,
  retailer: z.string(),
  steps: z.array(step),
  invoices: z.array(orderInvoice),
  /** `can_use_new`: it can replace the order, because nothing has shipped or only prices change. `note`: what to know before. */
  waiting: waitingView.extend({ can_use_new: z.boolean(), note: z.string() }).nullable(),
  /** The retailer canceled it after its labels were made: a user voids these, or confirms that it shipped. */
  asks_shipped: z.boolean(),
  slip_file: z.string(),
});
export type ThreadView = z.output<typeof threadView>;

export const readThread = endpoint({
  access,
  method: "GET",
  path: "/api/v1/orders/thread",
  summary: "Returns an order with its timeline, and what was ordered, shipped, and billed by line",
  query: z.object({ order_id: z.uuid() }),
  response: threadView,
});

export const postOrderInvoices = endpoint({
  access,
  method: "POST",
  path: "/api/v1/orders/invoices",
  summary:
    "Posts the invoices of shipped orders to QuickBooks, each once; orders with a question are left out",
  body: z.strictObject({
    order_ids: z.array(z.uuid()).min(1).max(500),
    /** Only this one of their invoices. */
    invoice_id: z.uuid().optional(),
  }),
  response: z.object({
    /** Invoices that are being posted now. */
    posting: z.int(),
    upload_id: z.uuid().nullable(),
    left_out: z.array(z.object({ order_id: z.uuid(), problem: z.string() })),
  }),
});

const invoiceAnswer = z.enum(["order_price", "link", "other", "credited", "handled", "find", "portal"]);
export type InvoiceAnswer = z.output<typeof invoiceAnswer>;

export const answerOrderInvoice = endpoint({
  access,
  method: "POST",
  path: "/api/v1/orders/invoices/answer",
  summary: "Answers the question that the invoice of an order is waiting for",
  body: z.strictObject({
    id: z.uuid(),
    /**
     * `order_price`: bill a line at the order's price. `link`: the invoice in the books is it. `other`: that is another one.
     * `credited`: the earlier invoice of voided labels was credited. `handled`: its change in QuickBooks after the 810 was
     * handled. `find`: look for it in the books now, where a user created it.
     * `portal`: its 810, which isn't sent, was entered in the retailer's portal.
     */
    answer: invoiceAnswer,
    /** That of the invoice as it was read: an answer about one that changed since is refused. */
    about: filledText(100),
    line: lineText().max(50).optional(),
  }),
  response: z.object({}),
});

export const chooseMatch = endpoint({
  access,
  method: "PUT",
  path: "/api/v1/orders/matches",
  summary: "Saves which entry of the books a retailer's SKU or terms, or the retailer itself, stand for",
  body: z.strictObject({
    partner: filledText(50),
    kind: matchKind,
    written: lineText().max(200),
    target_id: filledText(50),
  }),
  response: z.object({ name: z.string() }),
});

export const searchMatches = endpoint({
  access,
  method: "GET",
  path: "/api/v1/orders/matches/:kind",
  summary: "Searches the active entries of a list in the books by name; at most 20",
  params: z.object({ kind: matchKind }),
  query: z.object({ q: lineText().max(100).default("") }),
  response: z.object({ entries: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

export const changeOrderInvoiceSettings = endpoint({
  access: { ...access, admin: true },
  method: "PUT",
  path: "/api/v1/orders/invoice-settings",
  summary: "Turns automatic posting of invoices, once their ship notice is sent, on or off",
  body: z.strictObject({ posts_when_shipped: z.boolean() }),
  response: z.object({}),
});
