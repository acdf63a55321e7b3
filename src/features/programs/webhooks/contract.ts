import { endpoint } from "#contract/endpoint.ts";
import { filledText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

/** Events that a company's programs can be sent. `docs/integrations/webhooks.md` shows each. */
export const WEBHOOK_EVENTS = [
  "upload.finished",
  "labels.made",
  "gs1_labels.made",
  "package.delivered",
  "invoice.posted",
  "order.accepted",
  "order.refused",
  "connection.lost",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  /** `gone`: it answered 410. `failing`: it accepted nothing for days. Nothing is sent to these until they are saved again. */
  state: z.enum(["active", "gone", "failing"]),
  /** Since when it has accepted nothing; null after a success. */
  failing_since: z.iso.datetime().nullable(),
  /** Time until which messages are signed with the replaced secret too; null if there is none. */
  old_secret_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  /** E-mail of the admin who added it. */
  created_by: z.string(),
});
export type Webhook = z.output<typeof webhook>;

const message = z.object({
  /** The header `webhook-id` of every attempt. */
  id: z.uuid(),
  endpoint_id: z.uuid(),
  /** One of the events, or `webhook.test`. */
  event: z.string(),
  state: z.enum(["queued", "delivered", "failed"]),
  attempts: z.int(),
  /** Status of the last answer, or why there was none; empty before the first attempt. */
  answer: z.string(),
  created_at: z.iso.datetime(),
  attempted_at: z.iso.datetime().nullable(),
  /** Time of the next attempt; null if there is none. */
  due_at: z.iso.datetime().nullable(),
});
export type WebhookMessage = z.output<typeof message>;

const body = z.strictObject({
  url: filledText(2_000),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length),
});
const ofEndpoint = realmQuery.extend({ endpoint_id: z.uuid() });
const withSecret = z.object({ webhook, secret: z.string() });

export const listWebhooks = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/webhooks",
  summary: "Lists a company's webhooks, and the last messages to them, newest first",
  response: z.object({ webhooks: z.array(webhook), messages: z.array(message) }),
});

export const addWebhook = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/webhooks",
  summary: "Adds a webhook of a company; its secret is only in this answer",
  body,
  isShownOnce: true,
  response: withSecret,
});

export const saveWebhook = endpoint({
  ...adminCall,
  method: "PUT",
  path: "/api/v1/company/webhooks",
  summary: "Saves the address and events of a webhook, and turns it on again",
  query: ofEndpoint,
  body,
  response: webhook,
});

export const removeWebhook = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/webhooks",
  summary: "Removes a webhook of a company with its messages",
  query: ofEndpoint,
  response: z.object({}),
});

export const replaceSecret = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/webhooks/secret",
  summary: "Replaces the secret of a webhook; messages are signed with the old one too for a day",
  query: ofEndpoint,
  isShownOnce: true,
  response: withSecret,
});

export const testWebhook = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/webhooks/test",
  summary: "Sends a test message to a webhook",
  query: ofEndpoint,
  response: message,
});

export const replayMessage = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/webhooks/replay",
  summary: "Resends one message of a webhook, under the same ID",
  query: realmQuery.extend({ message_id: z.uuid() }),
  response: message,
});

export const replayFailed = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/webhooks/replay-failed",
  summary: "Resends a webhook's failed messages since a given time, oldest first",
  query: ofEndpoint,
  body: z.strictObject({ since: z.iso.datetime() }),
  response: z.object({ messages: z.int().min(0) }),
});
