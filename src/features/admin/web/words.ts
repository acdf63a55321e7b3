import type { ListName } from "#features/admin/lists/contract.ts";
import { counted } from "#web/kit/format.ts";

type PageWords = {
  title: string;
  /** A sentence above the list. */
  lead?: string;
  /** Hint of the search field. */
  search?: string;
  /** Name of the rows that need an operator, and their number behind the name of the page. */
  attention?: string;
};

/** Texts of Admin. */
export const adminWords = {
  title: "Admin",
  navigation: "Admin",
  section: "Section",
  note: "Every change asks for a reason and is kept in the audit trail.",
  pages: {
    overview: { title: "Overview" },
    companies: { title: "Companies", search: "Name or company ID", attention: "to reconnect" },
    users: { title: "Users", search: "Email or last name", attention: "blocked" },
    runs: { title: "Runs", search: "Company, upload, or support ID", attention: "failed" },
    tracking: { title: "Tracking", search: "Company or tracking number", attention: "with problems" },
    orders: { title: "Orders", search: "Company or PO number", attention: "to decide" },
    differences: { title: "Differences", search: "Company", attention: "to cure" },
    labels: { title: "Labels", search: "Company or PO number", attention: "failed" },
    billing: { title: "Billing", search: "Company or subscription ID", attention: "unpaid" },
    webhooks: { title: "Webhooks", search: "ID of an event or its subject", attention: "open" },
    outgoing: { title: "Outgoing webhooks", search: "Company or message ID", attention: "failed" },
    mail: { title: "Mail", search: "Company or email", attention: "failed" },
    messages: { title: "Messages", search: "Email or support ID" },
    errors: { title: "Errors", search: "Message, email, or support ID" },
    recordings: {
      title: "Recordings",
      lead: "What a page did before an error. Texts are replaced by x before they leave the browser. Kept for 14 days.",
      search: "Email or support ID",
    },
    audit: { title: "Audit trail", search: "Company, email, or support ID" },
    simulators: { title: "Simulators" },
  } satisfies Record<ListName | "overview" | "simulators", PageWords>,
  find: {
    label: "Search everything",
    placeholder: "Company, user, invoice, PO, or support ID",
    results: (text: string) => `Results for “${text}”`,
    loading: "Searching",
    none: (text: string) => `No results for “${text}”. Try the start of a name or email, or a full number.`,
  },
  list: {
    all: "All",
    show: "Rows",
    loading: (title: string) => `Loading ${title.toLowerCase()}`,
    none: (title: string) => `${title}: nothing here yet`,
    noneFound: (search: string) =>
      `No results for “${search}”. Try the start of a name or email, or a full number.`,
    table: (title: string) => `List of ${title.toLowerCase()}`,
    older: "Show older",
    csv: "CSV",
    behind: (seconds: number) => `Read from a replica that is ${seconds} s behind.`,
    actions: "Actions",
    never: "–",
  },
  files: { workbook: "file", label: "labels" },
  reason: {
    label: "Reason, for the audit trail",
    cancel: "Cancel",
  },
  overview: {
    figures: "Today",
    invoices: "Invoices posted today",
    labels: "Labels today",
    deliveries: "Deliveries filed today",
    waiting: "Waiting for you",
    loading: "Loading figures",
    stopped: "Stopped runs",
    table: "Runs that failed",
    noStopped: "No run has failed.",
    viewAll: (count: number) => `View ${counted(count, "run")}`,
    heads: ["Company", "Run", "Cause", "Requested", "Actions"],
  },
  health: {
    title: "Health",
    loading: "Loading health",
    table: "State of each part",
    heads: ["Part", "State", "Facts"],
    fine: "Fine",
    away: "Doesn't answer",
    full: "Nearly full",
    near: "Near the limit",
    failing: "Failing",
    alone: "Too few standbys",
    unused: "Not used",
    queue: (queued: number, working: number, waiting: number) =>
      `${queued} queued, ${working} working, ${waiting} waiting`,
    oldest: (seconds: number) => `the oldest queued for ${seconds} s`,
    disk: (free: string, total: string) => `${free} GB of ${total} GB free`,
    reads: (count: number, limit: number) =>
      `${count.toLocaleString("en-US")} of ${limit.toLocaleString("en-US")} metered reads this month`,
    vendors: {
      intuit: "Intuit",
      ups: "UPS",
      stripe: "Stripe",
      sentry: "Sentry",
      s3: "Stored files",
    } as Record<string, string>,
    lastCall: (outcome: string, at: string) => `Last answer ${outcome}, ${at}`,
    noCall: "Not called since the start",
    failedMail: (count: number) => `${count} not sent`,
    sent: "All mail was sent",
    names: {
      database: "Database",
      replica: "Replica",
      objects: "Stored files",
      ups: "UPS app",
      queue: "Runs",
      disk: "Disk",
      reads: "QuickBooks reads",
      mail: "Mail",
    },
    behind: (lag: number | null) => `Lists, exports and backups are read from it, ${lag ?? 0} s behind`,
    primary: (address: string | null) => (address ? `Primary ${address}` : "Answers"),
    standby: (name: string, isSynchronous: boolean, lag: number | null) =>
      `${isSynchronous ? "standby" : "asynchronous standby"} ${name}${lag ? ` ${lag} s behind` : ""}`,
  },
  close: "Close",
  runLog: {
    title: "Timeline",
    about: (kind: string) => `Timeline of ${kind}`,
    loading: "Loading the timeline",
    requested: (at: string, by: string, program: string) => `${at}: requested by ${by} (${program})`,
    failed: (at: string, cause: string, program: string) =>
      `${at}: ${cause.replaceAll("_", " ")} (${program})`,
    deaths: (count: number) => `${counted(count, "worker")} died while working on it`,
    canceled: (by: string) => `Cancellation requested by ${by}`,
    now: (state: string, cause: string | null, at: string | null) =>
      [`Now ${state}`, cause?.replaceAll("_", " "), at].filter(Boolean).join(", "),
  },
  errors: { open: "Where", stack: "Where it happened", close: "Close" },
  storage: {
    title: "Storage",
    about: (company: string) => `Storage of ${company}`,
    loading: "Counting what is stored",
  },
  recordings: {
    play: "Play",
    atLogRocket: (app: string) =>
      `Pages are recorded at LogRocket: sign in there and open the app ${app} to watch them. Only recordings made before that are listed here, for 14 days.`,
  },
  simulators: {
    lead: "Simulated vendors of this demo. Their pages show what they know, and let them misbehave.",
    books: "Open the simulated QuickBooks",
    reset: "Reset the demo",
    resetNote: "Removes everything that was added to the demo, here and at the simulated vendors.",
  },
  supportId: (id: string) => `Support ID ${id}`,
} as const;

export type PageName = keyof typeof adminWords.pages;
