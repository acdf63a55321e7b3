import type { WebhookEvent } from "#features/companies/webhooks/contract.ts";

const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  "upload.finished": "Upload finished",
  "labels.made": "UPS labels made",
  "gs1_labels.made": "GS1 labels made",
  "package.delivered": "Package delivered",
  "connection.lost": "Connection to QuickBooks or UPS lost",
};

/** Reasons of a failed attempt, by its answer. Any other one is a status or the name of a network error. */
const ANSWERS: Readonly<Record<string, string>> = {
  private: "the address is in a private network",
  unknown: "there is no server with this name",
  timeout: "no answer within 10 seconds",
  off: "the webhook was off",
  not_https: "the address isn't https",
};

/** Texts of a company's webhooks. */
export const webhookWords = {
  title: "Webhooks",
  note: "Sends messages to your own programs as soon as something happens here.",
  show: "Open the webhooks",
  hide: "Hide the webhooks",
  loading: "Loading the webhooks",
  list: "Webhooks of this company",
  none: "There are no webhooks yet.",
  events: { ...EVENTS, legend: "Events to send" },
  sends: (events: readonly WebhookEvent[]) => events.map((event) => EVENTS[event]).join(", "),
  states: {
    active: "On",
    gone: "Off: it answered that it wants no more messages",
    failing: "Off: it accepted nothing for 5 days",
  },
  failingSince: (at: string) => `Accepts nothing since ${at}`,
  bothUntil: (at: string) => `Signed with the old secret too until ${at}`,
  createdBy: (by: string, at: string) => `Added by ${by} on ${at}`,
  test: "Send a Test",
  tested: "Test sent.",
  turnOn: "Turn On",
  turnedOn: "Webhook turned on.",
  replace: "Replace the Secret",
  remove: "Delete",
  replayFailed: "Send Failed Again",
  replayedFailed: (messages: number) =>
    `${messages} ${messages === 1 ? "message is" : "messages are"} sent again.`,
  url: "Address of the new webhook",
  example: "https://example.com/hooks",
  add: "Add Webhook",
  added: "Webhook added.",
  replaced: "Secret replaced.",
  once: "Copy the secret now. It is shown only this once. Your program verifies with it that a message is from us.",
  overlap: "Until tomorrow, messages are signed with the old secret too.",
  secret: "The secret",
  addError: "Error Adding the Webhook",
  removeTitle: "Delete this webhook?",
  removeText: (url: string) =>
    `Nothing more is sent to ${url}, and its messages are deleted. This can't be undone.`,
  keep: "Keep the Webhook",
  confirm: "Delete the Webhook",
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
  replay: "Send Again",
  replayed: "Message sent again.",
} as const;
