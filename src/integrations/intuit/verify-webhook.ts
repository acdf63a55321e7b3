import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { parseJson } from "#platform/parse-json.ts";

/** A change that Intuit reports: which object, never its values. */
export type WebhookEvent = {
  realmId: string;
  /** Lower case: `invoice`. */
  entity: string;
  /** Lower case: created, updated, deleted, voided, merged, emailed. */
  operation: string;
  id: string;
  /** The same for a repeated delivery. */
  eventId: string;
  /** By Intuit's clock; null if it does not say. */
  at: Date | null;
};

type Delivery = { body: Buffer; signature: string | undefined; verifierToken: string };

/**
 * Whether Intuit signed a webhook with this token.
 * @param delivery.body raw bytes, which the signature is about
 * @param delivery.signature header `intuit-signature`
 * @see https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
 */
export function isSignedWebhook({ body, signature, verifierToken }: Delivery): boolean {
  const given = Buffer.from(signature ?? "", "base64");
  const wanted = createHmac("sha256", verifierToken).update(body).digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Reads the changes of a webhook. Their order means nothing, they may come again, and entries of unknown shape are left out. */
export function readWebhook(body: Buffer): WebhookEvent[] {
  const parsed = parseJson(body.toString("utf8"));
  return Array.isArray(parsed) ? parsed.flatMap(readCloudEvent) : readLegacy(parsed);
}

const text = z.string().min(1);

const cloudEvent = z.object({
  id: text,
  type: z.string().regex(/^qbo\.[a-z]+\.[a-z]+\.v\d+$/i),
  time: z.string().nullish(),
  intuitentityid: text,
  intuitaccountid: text,
});

function readCloudEvent(entry: unknown): WebhookEvent[] {
  const { data } = cloudEvent.safeParse(entry);
  if (!data) return [];
  const [, entity = "", operation = ""] = data.type.toLowerCase().split(".");
  const { intuitaccountid: realmId, intuitentityid: id, id: eventId } = data;
  return [{ realmId, entity, operation, id, eventId, at: toTime(data.time) }];
}

/** The shape before CloudEvents, which Intuit may still send. */
const notification = z.object({
  realmId: text,
  dataChangeEvent: z.object({ entities: z.array(z.unknown()) }),
});
const change = z.object({ id: text, name: text, operation: text, lastUpdated: z.string().nullish() });

const OPERATIONS: Record<string, string> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  void: "voided",
  merge: "merged",
};

function readLegacy(parsed: unknown): WebhookEvent[] {
  const { data } = z.object({ eventNotifications: z.array(z.unknown()) }).safeParse(parsed);
  return (data?.eventNotifications ?? []).flatMap((eventNotification) => {
    const { data: of } = notification.safeParse(eventNotification);
    return (of?.dataChangeEvent.entities ?? []).flatMap((entry) => {
      const { data: changed } = change.safeParse(entry);
      if (!of || !changed) return [];
      const { id, name, lastUpdated } = changed;
      const word = changed.operation.toLowerCase();
      // These have no id of their own.
      const eventId = [of.realmId, name, id, word, lastUpdated ?? ""].join("/");
      const operation = OPERATIONS[word] ?? word;
      return [
        { realmId: of.realmId, entity: name.toLowerCase(), operation, id, eventId, at: toTime(lastUpdated) },
      ];
    });
  });
}

function toTime(value: string | null | undefined): Date | null {
  const time = new Date(value ?? "");
  return Number.isNaN(time.getTime()) ? null : time;
}
