import { timeoutSignal } from "../kit/timer.ts";
import { createHmac } from "node:crypto";
import type Stripe from "stripe";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import { invalid } from "./api-error.ts";
import { changedMetadata, flag, required, text, texts, type Form } from "./form.ts";
import { find, findAny, need, newId, remove, save } from "./store.ts";
import { API_VERSION, type Simulator } from "./simulator.ts";
import { clockNow, machineNow } from "./times.ts";

export const ENDPOINT_FIELDS = [
  "api_version",
  "connect",
  "description",
  "disabled",
  "enabled_events",
  "metadata",
  "url",
] as const;

/** Creates an endpoint. Its secret is returned only here. */
export function createEndpoint(sim: Simulator, form: Form, secret = newId("whsec_", 32)): object {
  const url = required(form, "url");
  if (!URL.canParse(url))
    throw invalid("Invalid URL: An explicit scheme (such as https) must be provided.", { param: "url" });
  const events = texts(form, "enabled_events") as Stripe.WebhookEndpoint["enabled_events"];
  if (events.length === 0) required(form, "enabled_events");
  const endpoint = save(sim, "webhook_endpoint", {
    id: newId("we_"),
    object: "webhook_endpoint",
    api_version: text(form, "api_version") || API_VERSION,
    application: null,
    created: machineNow(sim),
    description: text(form, "description") || null,
    enabled_events: events,
    livemode: false,
    metadata: changedMetadata({}, form),
    status: "enabled",
    url,
  });
  writeSetting(sim.db, `secret:${endpoint.id}`, secret);
  return { ...endpoint, secret };
}

export function updateEndpoint(sim: Simulator, id: string, form: Form): Stripe.WebhookEndpoint {
  const known = need(sim, "webhook_endpoint", { id });
  const events = texts(form, "enabled_events") as Stripe.WebhookEndpoint["enabled_events"];
  return save(sim, "webhook_endpoint", {
    ...known,
    url: text(form, "url") ?? known.url,
    enabled_events: events.length > 0 ? events : known.enabled_events,
    status:
      flag(form, "disabled") === undefined ? known.status : flag(form, "disabled") ? "disabled" : "enabled",
    metadata: changedMetadata(known.metadata, form),
  });
}

export function deleteEndpoint(sim: Simulator, id: string): object {
  need(sim, "webhook_endpoint", { id });
  remove(sim, id);
  return { id, object: "webhook_endpoint", deleted: true };
}

/** How deliveries misbehave, set by the control interface. */
export type DeliverySettings = { off: boolean; duplicates: number; shuffle: boolean };

export const readDeliverySettings = (sim: Simulator): DeliverySettings => ({
  off: false,
  duplicates: 0,
  shuffle: false,
  ...readSetting<Partial<DeliverySettings>>(sim.db, "deliveries"),
});

/** Waits between attempts of one delivery, in seconds. */
const RETRY_SECONDS = [5, 60, 600, 3600, 10_800, 21_600, 43_200];
const ANSWER_MS = 10_000;

type Delivery = { seq: number; event: string; endpoint: string; attempts: number };

export const hasUndelivered = (sim: Simulator): boolean =>
  sim.db.prepare("SELECT 1 FROM delivery WHERE due_at IS NOT NULL LIMIT 1").get() !== undefined;

/** Delivers what is due, and schedules a retry for failed deliveries. */
export async function deliverDue(sim: Simulator): Promise<void> {
  const behavior = readDeliverySettings(sim);
  if (behavior.off) return;
  const due = sim.db
    .prepare("SELECT seq, event, endpoint, attempts FROM delivery WHERE due_at <= ? ORDER BY seq LIMIT 50")
    .all(clockNow(sim)) as unknown as Delivery[];
  for (const delivery of behavior.shuffle ? shuffled(due) : due) {
    const endpoint = find(sim, "webhook_endpoint", delivery.endpoint);
    const event = findAny(sim, delivery.event);
    const times = 1 + behavior.duplicates;
    let status = 0;
    for (let sent = 0; endpoint && event && sent < times; sent += 1)
      status = await post(sim, {
        url: endpoint.url,
        secret: readSecret(sim, endpoint.id),
        event,
        now: clockNow(sim),
      });
    note(sim, delivery, endpoint ? status : 200);
  }
}

const readSecret = (sim: Simulator, endpointId: string): string =>
  readSetting<string>(sim.db, `secret:${endpointId}`) ?? "";

function note(sim: Simulator, { seq, attempts }: Delivery, status: number): void {
  const isTaken = status >= 200 && status < 300;
  const wait = RETRY_SECONDS[attempts];
  const dueAt = isTaken || wait === undefined ? null : clockNow(sim) + wait;
  sim.db
    .prepare("UPDATE delivery SET attempts = attempts + 1, status = ?, due_at = ? WHERE seq = ?")
    .run(status, dueAt, seq);
}

type Post = { url: string; secret: string; event: object; now: number };

/** @returns the status of the answer, 0 for none */
async function post(sim: Simulator, { url, secret, event, now }: Post): Promise<number> {
  const body = JSON.stringify(event, null, 2);
  try {
    const answer = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      signal: timeoutSignal(sim.clock.timer, ANSWER_MS),
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": signBody({ body, secret, at: now }),
      },
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Builds the header that proves the sender and time of a body. */
export function signBody({ body, secret, at }: { body: string; secret: string; at: number }): string {
  const v1 = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return `t=${at},v1=${v1}`;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
