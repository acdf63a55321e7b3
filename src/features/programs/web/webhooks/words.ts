import type { WebhookEvent } from "#features/programs/webhooks/contract.ts";
import { counted } from "#web/kit/format.ts";

const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  "upload.finished": "Upload finished",
  "labels.made": "UPS labels made",
  "gs1_labels.made": "GS1 labels made",
  "package.delivered": "Package delivered",
  "invoice.posted": "Invoice for an order posted",
  "order.accepted": "Invoice accepted by the retailer",
  "order.refused": "Ship notice or invoice rejected by the retailer",
  "connection.lost": "Connection to QuickBooks or UPS lost",
};

/** Reasons of a failed attempt, by its answer. Any other one is a status or the name of a network error. */
const ANSWERS: Readonly<Record<string, string>> = {
  private: "the address is in a private network",
  unknown: "no server was found at this address",
  timeout: "no answer within 10 seconds",
  off: "the webhook was off",
  not_https: "the address isn't https",
};

/** UI text for a company's webhooks. */
export const webhookWords = {
  row: {
    name: "webhooks",
    title: "Webhooks",
    note: "Notify your own systems when something happens here",
    loading: "Loading the webhooks",
  },
  count: (webhooks: number) => (webhooks === 0 ? "None yet" : counted(webhooks, "webhook")),
  lastDelivered: (at: string) => `last delivered ${at}`,
  off: (off: number, all: number) => (all === 1 ? "Off" : `${off} of ${all} off`),
  list: "Webhooks of this company",
  new: "New webhook",
  events: { ...EVENTS, legend: "Events" },
  sends: (events: readonly WebhookEvent[]) => events.map((event) => EVENTS[event]).join(", "),
  states: {
    active: "On",
    gone: "Off: the address asked us to stop",
    failing: "Off: it accepted nothing for 5 days",
  },
  failingSince: (at: string) => `Hasn't accepted anything since ${at}`,
  bothUntil: (at: string) => `Also signed with the old secret until ${at}`,
  createdBy: (by: string, at: string) => `Added by ${by} on ${at}`,
  test: "Send a test",
  tested: "Test sent.",
  turnOn: "Turn on",
  turnedOn: "Webhook turned on.",
  replace: "Replace the secret",
  remove: "Delete",
  replayFailed: "Resend failed messages",
  replayedFailed: (messages: number) =>
    `${messages} ${messages === 1 ? "message" : "messages"} being resent.`,
  url: "Address",
  example: "https://example.com/hooks",
  add: "Add webhook",
  added: "Webhook added.",
  replaced: "Secret replaced.",
  once: "Copy the secret now. We won't show it again. Your software uses it to verify that a message is from us.",
  copy: "Copy secret",
  overlap: "Until tomorrow, messages are also signed with the old secret.",
  secret: "The secret",
  addError: "Webhook not added",
  removeTitle: "Delete this webhook?",
  removeText: (url: string) => `We'll stop sending to ${url} and delete its messages. This can't be undone.`,
  keep: "Keep the webhook",
  confirm: "Delete the webhook",
  removed: "Webhook deleted.",
  messages: "Last messages",
  noMessages: "Nothing has been sent yet.",
  event: (event: string) => (EVENTS as Readonly<Record<string, string>>)[event] ?? "Test",
  delivered: (at: string) => `Delivered ${at}`,
  failed: (answer: string) => `Failed: ${ANSWERS[answer] ?? answer}`,
  waiting: (answer: string, at: string) => `Not accepted: ${ANSWERS[answer] ?? answer}. Next attempt ${at}`,
  happened: (at: string) => `Happened ${at}`,
  sending: "Being sent",
  attempts: (count: number) => `${count} attempts`,
  replay: "Resend",
  replayed: "Message resent.",
} as const;
