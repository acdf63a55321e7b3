import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

const time = z.iso.datetime();
/** Name and id of the company of a row; empty for the system and for users without one. */
const company = { realm_id: z.string(), company: z.string() };

/** The rows of each list of Admin. `key` identifies a row within its list. */
const ROWS = {
  companies: z.object({
    key: z.string(),
    ...company,
    admin: z.string().nullable(),
    connection: z.enum(["connected", "reconnect_needed", "disconnected"]).nullable(),
    /** Services that are on. */
    services: z.string(),
    /** Services that are on without payment. */
    granted: z.string(),
    members: z.int(),
    created_at: time,
  }),
  users: z.object({
    key: z.string(),
    email: z.string(),
    name: z.string(),
    groups: z.string(),
    companies: z.int(),
    devices: z.int(),
    /** Last use of a device that is signed in. */
    last_seen_at: time.nullable(),
    blocked_at: time.nullable(),
    created_at: time,
  }),
  /** Files of invoices. No row has anything from the cells of its file. */
  uploads: z.object({
    key: z.string(),
    ...company,
    file: z.string(),
    /** Name of the user, else their e-mail or the name of an API key. */
    uploaded_by: z.string(),
    uploaded_at: time,
    /** `review`: nothing may be posted yet. `in_part`: some of its invoices are not in the books. */
    outcome: z.enum(["review", "open", "posted", "in_part", "undone", "not_posted"]),
    /** Invoices in the file, and how many of them were posted, undone or skipped. */
    invoices: z.int(),
    posted: z.int(),
    undone: z.int(),
    skipped: z.int(),
    /** Invoices that users left out in the review. */
    left_out: z.int(),
    /** Codes of what keeps invoices from being posted, separated by commas. */
    problems: z.string(),
    /** State of its latest run, and the code of why it waits or stopped; of a refused file, the code of its fault. */
    state: z.enum(["queued", "working", "waiting", "done", "stopped"]).nullable(),
    cause: z.string().nullable(),
  }),
  runs: z.object({
    key: z.string(),
    ...company,
    kind: z.string(),
    /** Id of its subject, such as an upload. */
    subject: z.string(),
    /** File, PO number or address that it is about; empty if it is about none. */
    about: z.string(),
    state: z.enum(["queued", "working", "waiting", "done", "stopped"]),
    /** Code of the reason why it waits or ended. */
    cause: z.string().nullable(),
    /** Failures in a row on our side. */
    failures: z.int(),
    requested_at: time,
    requested_by: z.string(),
    /** Null while only an event can wake it. */
    due_at: time.nullable(),
    finished_at: time.nullable(),
    /** Support id of the request that added it. */
    request_id: z.string().nullable(),
  }),
  tracking: z.object({
    key: z.string(),
    ...company,
    number: z.string(),
    state: z.string(),
    state_at: time.nullable(),
    proof: z.string(),
    polled_at: time.nullable(),
    /** Next question to UPS; null when nothing more is asked. */
    next_poll_at: time.nullable(),
    added_at: time,
  }),
  orders: z.object({
    key: z.string(),
    ...company,
    po_number: z.string(),
    retailer: z.string(),
    customer: z.string(),
    state: z.string(),
    /** State of the last notice for the retailer. */
    notice: z.string().nullable(),
    received_at: time,
  }),
  /** Differences from vendors' records that the daily comparison found. */
  differences: z.object({
    key: z.string(),
    ...company,
    vendor: z.string(),
    code: z.string(),
    /** The facts, as JSON. */
    params: z.string(),
    found_at: time,
  }),
  labels: z.object({
    key: z.string(),
    ...company,
    kind: z.enum(["gs1", "ups"]),
    /** File of GS1 labels, or PO number of UPS labels. */
    source: z.string(),
    state: z.string(),
    labels: z.int(),
    requested_by: z.string(),
    requested_at: time,
  }),
  billing: z.object({
    key: z.string(),
    ...company,
    service: z.string(),
    status: z.string(),
    payer: z.string(),
    period_end: time,
    ends_at: time.nullable(),
    unpaid_since: time.nullable(),
    created_at: time,
  }),
  webhooks: z.object({
    key: z.string(),
    type: z.string(),
    subject: z.string().nullable(),
    received_by: z.enum(["webhook", "poll"]),
    received_at: time,
    /** Null until what it is about was read again. */
    handled_at: time.nullable(),
  }),
  /** Messages to webhooks of companies. */
  outgoing: z.object({
    key: z.string(),
    ...company,
    event: z.string(),
    /** The address without its path, which may contain a secret. */
    host: z.string(),
    state: z.enum(["queued", "delivered", "failed"]),
    attempts: z.int(),
    /** Status of the last answer, or why there was none. */
    answer: z.string(),
    created_at: time,
    attempted_at: time.nullable(),
    due_at: time.nullable(),
  }),
  mail: z.object({
    key: z.string(),
    ...company,
    kind: z.string(),
    recipient: z.string(),
    state: z.enum(["queued", "sending", "sent", "refused", "in_doubt"]),
    cause: z.string().nullable(),
    created_at: time,
    changed_at: time,
  }),
  messages: z.object({
    key: z.string(),
    name: z.string(),
    email: z.string(),
    topic: z.string(),
    message: z.string(),
    support_id: z.string(),
    sent_at: time,
  }),
  /** Errors of pages and of the server by cause, with the facts of the latest report of each. */
  errors: z.object({
    key: z.string(),
    /** Kind and message. */
    title: z.string(),
    /** Path of the page, route of the call, or kind of the run. */
    place: z.string(),
    source: z.enum(["browser", "server"]),
    release: z.string(),
    count: z.int(),
    first_at: time,
    last_at: time,
    /** Null for guests and for the server's own. */
    user: z.string().nullable(),
    request_id: z.string().nullable(),
    /** A line for each call, the throwing one first. */
    stack: z.string(),
  }),
  /** Recordings of what pages did before an error; `key` is the id of its report. */
  recordings: z.object({
    key: z.string(),
    /** Kind and message of the error; null when its report is no longer there, or went to another server. */
    error: z.string().nullable(),
    /** Path of the page. */
    page: z.string(),
    /** Email; null for guests. */
    user: z.string().nullable(),
    started_at: time,
    ended_at: time,
    events: z.int(),
    release: z.string(),
  }),
  audit: z.object({
    key: z.string(),
    ...company,
    at: time,
    /** E-mail of the user; null for guests, keys and commands of operators. */
    user: z.string().nullable(),
    action: z.string(),
    /** Ids that it concerns, and the values before and after, as JSON. */
    ids: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    /** Values are left out or cut, since the operator has no grant of the company. */
    is_hidden: z.boolean(),
    request_id: z.string(),
  }),
} as const;

export type ListName = keyof typeof ROWS;
export type ListRow<L extends ListName = ListName> = z.output<(typeof ROWS)[L]>;

/** Names of the lists, in the order of Admin's navigation. */
export const LIST_NAMES = Object.keys(ROWS) as [ListName, ...ListName[]];

const page = <L extends ListName>(list: L) =>
  z.object({
    list: z.literal(list),
    rows: z.array(ROWS[list]),
    /** Value of `before` for the next page; null at the end. */
    next: z.string().nullable(),
    /** How far the replica was behind from which the rows were read; null if they are the primary's. */
    replica_lag_seconds: z.number().nullable(),
  });

/** `attention`: rows with a problem. `waiting`: those that an operator can settle. The others: uploads by outcome. */
const shown = z.enum(["all", "attention", "waiting", "stopped", "in_part", "not_posted"]);
export type Shown = z.output<typeof shown>;

const params = z.object({ list: z.enum(LIST_NAMES) });
const query = z.object({
  /** A company's name or id, or another text that the list finds, from its beginning. */
  search: lineText().trim().max(100).default(""),
  show: shown.default("all"),
  /** Rows of a time: by their place in the list; packages by when their proof was filed, errors by their reports. */
  from: time.optional(),
  until: time.optional(),
});

export const readList = endpoint({
  method: "GET",
  path: "/api/v1/admin/lists/:list",
  summary: "Lists the companies, users, runs, or other rows of Admin, newest first",
  access: { kind: "user", group: "admin" },
  params,
  query: query.extend({
    before: z
      .string()
      .regex(/^\d{1,17}\.[\w -]{1,100}$/, "must be the next of another page")
      .optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.discriminatedUnion("list", [
    page("companies"),
    page("users"),
    page("uploads"),
    page("runs"),
    page("tracking"),
    page("orders"),
    page("differences"),
    page("labels"),
    page("billing"),
    page("webhooks"),
    page("outgoing"),
    page("mail"),
    page("messages"),
    page("errors"),
    page("recordings"),
    page("audit"),
  ]),
});

export type ListPage = z.output<typeof readList.response>;

export const downloadList = endpoint({
  cost: "heavy",
  method: "GET",
  path: "/api/v1/admin/lists/:list/csv",
  summary: "Downloads a list of Admin as CSV",
  access: { kind: "user", group: "admin" },
  params,
  query,
  response: { mediaType: "text/csv" },
});
