import { changeUser, disconnectForSupport, replayWebhook, resendMail } from "#features/admin/contract.ts";
import type { ListName, ListRow } from "#features/admin/lists/contract.ts";
import { askForGrant } from "#features/companies/support/contract.ts";
import { changeService } from "#features/companies/contract.ts";
import {
  capitalize,
  company,
  showTime,
  NONE,
  time,
  view,
  words,
  type ListView,
} from "#features/admin/web/columns.ts";
import { uploadsView } from "#features/admin/web/uploads-view.ts";
import { runsView } from "#features/admin/web/runs-view.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";

const grant = (row: ListRow<"companies">, state: "active" | "ended", reason: string) =>
  call(changeService, { body: { realm_id: row.realm_id, service: "tracking", state, reason } });

/** Id of the retailer whose name the operator chose. */
const OWN_RETAILER = "retailer";

const ORDER_STATES: Readonly<Record<string, string>> = {
  labelling: "Labels being made",
  labelled: "Labels made",
  cancelled: "Canceled",
};

/** Columns and changes of each list. */
export const LIST_VIEWS: Readonly<Record<ListName, ListView>> = {
  companies: view("companies", {
    columns: [
      { ...company, note: (row) => row.realm_id },
      { head: "Admin", cell: (row) => row.admin ?? NONE },
      { head: "QuickBooks", cell: (row) => words(row.connection) },
      { head: "Services", cell: (row) => words(row.services) },
      { head: "Users", cell: (row) => String(row.members) },
      time("Added", (row) => row.created_at),
    ],
    actions: [
      {
        label: "Grant Tracking",
        question: (row) => `Give ${row.company} Tracking Service for free?`,
        isOffered: (row) => !row.services.split(", ").includes("tracking"),
        change: (row, reason) => grant(row, "active", reason),
      },
      {
        label: "End grant",
        question: (row) => `End ${row.company}'s free Tracking Service?`,
        isOffered: (row) => row.granted !== "",
        change: (row, reason) => grant(row, "ended", reason),
      },
      {
        label: "Access files for 24 hours",
        question: (row) =>
          `Give yourself access to ${row.company}'s files for 24 hours? Its admin will see the reason in Settings and can end your access.`,
        isOffered: () => true,
        change: (row, reason) => call(askForGrant, { body: { realm_id: row.realm_id, reason } }),
      },
      {
        label: "Disconnect",
        question: (row) =>
          `Disconnect ${row.company} from QuickBooks? Its uploads will be put on hold, and its subscriptions will end with the current billing period.`,
        isOffered: (row) => row.connection !== "disconnected",
        isDestructive: true,
        change: (row, reason) => call(disconnectForSupport, { body: { realm_id: row.realm_id, reason } }),
      },
    ],
  }),
  users: view("users", {
    columns: [
      { head: "Email", cell: (row) => row.email },
      { head: "Name", cell: (row) => row.name },
      { head: "Groups", cell: (row) => words(row.groups) },
      { head: "Companies", cell: (row) => String(row.companies) },
      { head: "Devices", cell: (row) => String(row.devices) },
      {
        head: "Last seen",
        cell: (row) => (row.blocked_at === null ? showTime(row.last_seen_at) : "Blocked"),
        isShort: true,
      },
      time("Since", (row) => row.created_at),
    ],
    actions: [
      {
        label: "Sign out",
        question: (row) => `Sign ${row.email} out on all devices?`,
        isOffered: (row) => row.devices > 0,
        change: ({ email }, reason) => call(changeUser, { body: { email, change: "sign-out", reason } }),
      },
      {
        label: "Block",
        question: (row) => `Sign ${row.email} out and keep them from signing in?`,
        isOffered: (row) => row.blocked_at === null,
        change: ({ email }, reason) => call(changeUser, { body: { email, change: "block", reason } }),
      },
      {
        label: "Unblock",
        question: (row) => `Let ${row.email} sign in again?`,
        isOffered: (row) => row.blocked_at !== null,
        change: ({ email }, reason) => call(changeUser, { body: { email, change: "unblock", reason } }),
      },
    ],
  }),
  uploads: uploadsView,
  runs: runsView,
  tracking: view("tracking", {
    columns: [
      company,
      { head: "Package", cell: (row) => row.number },
      { head: "State", cell: (row) => words(row.state) },
      time("Since", (row) => row.state_at),
      { head: "Proof", cell: (row) => words(row.proof) },
      time("Last poll", (row) => row.polled_at),
      time("Next poll", (row) => row.next_poll_at),
    ],
  }),
  orders: view("orders", {
    columns: [
      company,
      { head: "PO", cell: (row) => row.po_number },
      { head: "Retailer", cell: (row) => (row.retailer === OWN_RETAILER ? boot.retailer : row.retailer) },
      { head: "Customer", cell: (row) => row.customer },
      { head: "State", cell: (row) => ORDER_STATES[row.state] ?? words(row.state) },
      { head: "Last notice", cell: (row) => words(row.notice) },
      time("Received", (row) => row.received_at),
    ],
  }),
  differences: view("differences", {
    columns: [
      company,
      { head: "Vendor", cell: (row) => words(row.vendor) },
      { head: "Difference", cell: (row) => words(row.code) },
      { head: "Facts", cell: (row) => row.params },
      time("Found", (row) => row.found_at),
    ],
  }),
  labels: view("labels", {
    columns: [
      company,
      { head: "Kind", cell: (row) => (row.kind === "ups" ? "UPS" : "GS1-128") },
      { head: "File or PO", cell: (row) => row.source },
      { head: "State", cell: (row) => words(row.state) },
      { head: "Labels", cell: (row) => String(row.labels) },
      { head: "User", cell: (row) => row.requested_by },
      time("Requested", (row) => row.requested_at),
    ],
  }),
  billing: view("billing", {
    columns: [
      company,
      { head: "Service", cell: (row) => row.service },
      { head: "Status", cell: (row) => words(row.status) },
      { head: "Payer", cell: (row) => row.payer },
      time("Paid until", (row) => row.period_end),
      time("Ends", (row) => row.ends_at),
      time("Unpaid since", (row) => row.unpaid_since),
    ],
  }),
  webhooks: view("webhooks", {
    columns: [
      { head: "Event", cell: (row) => row.key },
      { head: "Type", cell: (row) => row.type },
      { head: "Subject", cell: (row) => row.subject ?? NONE },
      { head: "By", cell: (row) => row.received_by },
      time("Received", (row) => row.received_at),
      time("Done", (row) => row.handled_at),
    ],
    actions: [
      {
        label: "Replay",
        question: (row) => `Replay ${row.key}? We'll read its current data from Stripe.`,
        isOffered: (row) => row.subject !== null,
        change: ({ key }, reason) => call(replayWebhook, { body: { id: key, reason } }),
      },
    ],
  }),
  outgoing: view("outgoing", {
    columns: [
      company,
      { head: "Event", cell: (row) => row.event },
      { head: "To", cell: (row) => row.host },
      { head: "State", cell: (row) => words(row.state) },
      { head: "Attempts", cell: (row) => String(row.attempts) },
      { head: "Answer", cell: (row) => row.answer || NONE },
      time("Added", (row) => row.created_at),
      time("Next", (row) => row.due_at),
    ],
  }),
  mail: view("mail", {
    columns: [
      company,
      { head: "To", cell: (row) => row.recipient },
      { head: "Mail", cell: (row) => words(row.kind) },
      { head: "State", cell: (row) => [words(row.state), row.cause].filter(Boolean).join(": ") },
      time("Created", (row) => row.created_at),
      time("Changed", (row) => row.changed_at),
    ],
    actions: [
      {
        label: "Resend",
        question: (row) =>
          row.state === "in_doubt"
            ? `Resend this email to ${row.recipient}? The mail server may have delivered the first one.`
            : `Resend this email to ${row.recipient}?`,
        isOffered: (row) => row.state === "refused" || row.state === "in_doubt",
        change: ({ key }, reason) => call(resendMail, { body: { id: key, reason } }),
      },
    ],
  }),
  messages: view("messages", {
    columns: [
      { head: "From", cell: (row) => `${row.name} (${row.email})` },
      { head: "Topic", cell: (row) => capitalize(row.topic) },
      { head: "Message", cell: (row) => row.message },
      { head: "Support ID", cell: (row) => row.support_id || NONE },
      time("Sent", (row) => row.sent_at),
    ],
  }),
  errors: view("errors", {
    columns: [
      { head: "Error", cell: (row) => `${isNew(row.first_at) ? "New: " : ""}${row.title}\n${row.place}` },
      { head: "Count", cell: (row) => String(row.count) },
      time("First", (row) => row.first_at),
      time("Last", (row) => row.last_at),
      { head: "Release", cell: (row) => row.release, isShort: true },
      { head: "User", cell: (row) => row.user ?? (row.source === "server" ? "Server" : "Guest") },
      { head: "Support ID", cell: (row) => row.request_id ?? NONE },
    ],
  }),
  recordings: view("recordings", {
    columns: [
      { head: "Error", cell: (row) => row.error ?? "Error report deleted" },
      { head: "Page", cell: (row) => row.page, isShort: true },
      { head: "User", cell: (row) => row.user ?? "Guest" },
      time("Started", (row) => row.started_at),
      {
        head: "Length",
        cell: (row) => `${Math.round((Date.parse(row.ended_at) - Date.parse(row.started_at)) / 1_000)} s`,
        isShort: true,
      },
      { head: "Release", cell: (row) => row.release, isShort: true },
    ],
  }),
  audit: view("audit", {
    columns: [
      time("Time", (row) => row.at),
      company,
      { head: "User", cell: (row) => row.user ?? NONE },
      { head: "Action", cell: (row) => row.action },
      { head: "About", cell: (row) => facts(row.ids) },
      { head: "Change", cell: describeChange },
      { head: "Support ID", cell: (row) => row.request_id },
    ],
  }),
};

function describeChange({ before, after, is_hidden }: ListRow<"audit">): string {
  const isGone = is_hidden && before === null && after === null;
  return isGone ? adminWords.list.hidden : changes(before, after);
}

type Facts = Record<string, unknown>;

const parse = (json: string | null): Facts => (json === null ? {} : (JSON.parse(json) as Facts));
const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)) || NONE;

/** Facts in JSON as "name: value" lines. */
const facts = (json: string | null): string => changes(null, json);

/** Facts before and after in JSON as lines: "name: before → after", or "name: value" if only one side has it. */
function changes(before: string | null, after: string | null): string {
  const [was, is] = [parse(before), parse(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const line = (name: string) =>
    [was, is].flatMap((values) => (name in values ? [show(values[name])] : [])).join(" → ");
  return names.map((name) => `${name.replaceAll("_", " ")}: ${line(name)}`).join("\n") || NONE;
}

/** True if an error was first seen in the last 24 hours. */
const isNew = (firstAt: string) => Date.now() - Date.parse(firstAt) < 24 * 3_600_000;
