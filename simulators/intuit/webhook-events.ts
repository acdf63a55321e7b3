import { createHmac, randomUUID } from "node:crypto";
import { listClients } from "./clients.ts";
import { grantsOfRealm } from "./grants.ts";
import type { WebhookSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const VERBS = {
  created: "Create",
  updated: "Update",
  voided: "Void",
  deleted: "Delete",
  emailed: "Emailed",
} as const;

/** A change of an invoice. `at` in milliseconds. */
export type WebhookEvent = {
  id: string;
  realmId: string;
  invoiceId: string;
  verb: keyof typeof VERBS;
  at: number;
};

/**
 * Queues a change of an invoice for the apps that are connected to the company and have an address for webhooks.
 * @param change.operation as the page of changes has it: created, changed, paid, voided, deleted, sent to …
 */
export function queueEvent(sim: Simulator, realmId: string, change: { id: string; operation: string }): void {
  const apps = listClients(sim).filter(({ webhookUrl }) => webhookUrl !== null);
  if (apps.length === 0) return;
  const connected = new Set(grantsOfRealm(sim, realmId).map(({ clientId }) => clientId));
  const at = sim.clock.now().getTime();
  for (const { clientId } of apps.filter((app) => connected.has(app.clientId))) {
    const event: WebhookEvent = {
      id: randomUUID(),
      realmId,
      invoiceId: change.id,
      verb: nameVerb(change.operation),
      at,
    };
    sim.db
      .prepare("INSERT INTO webhook_event (client_id, realm_id, at, doc) VALUES (?, ?, ?, ?)")
      .run(clientId, realmId, at, JSON.stringify(event));
  }
}

function nameVerb(operation: string): WebhookEvent["verb"] {
  if (operation.startsWith("sent to")) return "emailed";
  return operation === "created" || operation === "voided" || operation === "deleted" ? operation : "updated";
}

/** Builds the body of a post: an array of CloudEvents, or the older shape. */
export function webhookBody(shape: WebhookSettings["shape"], events: readonly WebhookEvent[]): string {
  return JSON.stringify(shape === "legacy" ? legacyBody(events) : events.map(cloudEvent));
}

const cloudEvent = ({ id, realmId, invoiceId, verb, at }: WebhookEvent) => ({
  specversion: "1.0",
  id,
  source: "intuit.simulator",
  type: `qbo.invoice.${verb}.v1`,
  datacontenttype: "application/json",
  time: seconds(at),
  intuitentityid: invoiceId,
  intuitaccountid: realmId,
  data: {},
});

function legacyBody(events: readonly WebhookEvent[]): object {
  const eventNotifications = [...new Set(events.map(({ realmId }) => realmId))].map((realmId) => ({
    realmId,
    dataChangeEvent: {
      entities: events
        .filter((event) => event.realmId === realmId)
        .map(({ invoiceId, verb, at }) => ({
          id: invoiceId,
          name: "Invoice",
          operation: VERBS[verb],
          lastUpdated: seconds(at),
        })),
    },
  }));
  return { eventNotifications };
}

const seconds = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/** Returns the header `intuit-signature` of a body. */
export const signBody = (body: string, verifierToken: string): string =>
  createHmac("sha256", verifierToken).update(body).digest("base64");
