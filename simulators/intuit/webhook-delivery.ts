import { repeatWhile, sleep, timeoutSignal, type Repeating } from "../kit/timer.ts";
import { transaction } from "../kit/sqlite.ts";
import { listClients, type Client } from "./clients.ts";
import { readSettings, type WebhookSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";
import { signBody, webhookBody, type WebhookEvent } from "./webhook-events.ts";

const EVERY_MS = 200;
/** Intuit's limit for an answer. */
const ANSWER_MS = 3000;
const FORGED = "not-the-verifier-token";

/** Sends webhooks one at a time per app, in parallel with the requests that cause them. */
export function keepDelivering(sim: Simulator): Repeating {
  const running = new Map<string, Promise<void>>();
  const deliverFor = (client: Client): Promise<void> | null => {
    const { clientId, webhookUrl } = client;
    if (webhookUrl === null || running.has(clientId)) return null;
    const work = deliver(sim, { ...client, webhookUrl }).finally(() => running.delete(clientId));
    running.set(clientId, work);
    return work;
  };
  return repeatWhile(sim.clock.timer, EVERY_MS, {
    isNeeded: () => hasUndelivered(sim),
    work: async () => {
      const all = listClients(sim).map(async (client) => deliverFor(client));
      // An app that hangs holds up no other.
      await Promise.race([Promise.all(all), sleep(sim.clock.timer, EVERY_MS)]);
    },
  });
}

const hasUndelivered = ({ db }: Simulator): boolean =>
  db.prepare("SELECT 1 FROM webhook_event LIMIT 1").get() !== undefined ||
  db.prepare("SELECT 1 FROM webhook_delivery WHERE due_at IS NOT NULL LIMIT 1").get() !== undefined;

type Receiver = Client & { webhookUrl: string };
type Delivery = { seq: number; body: string; attempts: number };

async function deliver(sim: Simulator, client: Receiver): Promise<void> {
  const { webhooks } = readSettings(sim);
  if (!hasOpen(sim, client)) transaction(sim.db, () => packEvents(sim, client, webhooks));
  const due = listDue(sim, client);
  for (const delivery of webhooks.reversed ? due.toReversed() : due) {
    let status: number | null = null;
    for (let sent = 0; sent <= webhooks.duplicates && !webhooks.lost; sent += 1)
      status = await post(sim, client, { body: delivery.body, ...webhooks });
    noteAnswer(sim, delivery, { status, webhooks });
    // Later posts wait for the answer to this one.
    if (status !== null && status !== 200 && !webhooks.reversed) return;
  }
}

const hasOpen = (sim: Simulator, { clientId }: Client): boolean =>
  sim.db
    .prepare("SELECT 1 FROM webhook_delivery WHERE client_id = ? AND due_at IS NOT NULL LIMIT 1")
    .get(clientId) !== undefined;

/** Makes posts of the events that have waited long enough for others, in order. */
function packEvents(sim: Simulator, { clientId }: Client, webhooks: WebhookSettings): void {
  const now = sim.clock.now().getTime();
  const rows = sim.db
    .prepare("SELECT seq, realm_id, doc FROM webhook_event WHERE client_id = ? AND at <= ? ORDER BY seq")
    .all(clientId, now - webhooks.waitMs);
  const groups = new Map<string, WebhookEvent[]>();
  for (const row of rows) {
    const event = JSON.parse(String(row["doc"])) as WebhookEvent;
    const key = webhooks.several ? "" : event.realmId;
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
    sim.db.prepare("DELETE FROM webhook_event WHERE seq = ?").run(Number(row["seq"]));
  }
  for (const events of [...groups.values()].flatMap((group) => cut(group, webhooks.perPost)))
    sim.db
      .prepare("INSERT INTO webhook_delivery (client_id, body, events, due_at) VALUES (?, ?, ?, ?)")
      .run(clientId, webhookBody(webhooks.shape, events), events.length, now);
}

function cut<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Returns the unanswered posts up to the first that is not due. */
function listDue(sim: Simulator, { clientId }: Client): Delivery[] {
  const now = sim.clock.now().getTime();
  const open = sim.db
    .prepare(
      "SELECT seq, body, attempts, due_at FROM webhook_delivery WHERE client_id = ? AND due_at IS NOT NULL ORDER BY seq",
    )
    .all(clientId) as unknown as (Delivery & { due_at: number })[];
  const first = open.findIndex(({ due_at: dueAt }) => dueAt > now);
  return first === -1 ? open : open.slice(0, first);
}

/** @returns the status of the answer, 0 for none */
async function post(
  sim: Simulator,
  client: Receiver,
  { body, forged }: WebhookSettings & { body: string },
): Promise<number> {
  try {
    const answer = await fetch(client.webhookUrl, {
      method: "POST",
      body,
      redirect: "manual",
      signal: timeoutSignal(sim.clock.timer, ANSWER_MS),
      headers: {
        "content-type": "application/json",
        "intuit-signature": signBody(body, forged ? FORGED : client.verifierToken),
      },
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

type Outcome = { status: number | null; webhooks: WebhookSettings };

function noteAnswer(sim: Simulator, { seq, attempts }: Delivery, { status, webhooks }: Outcome): void {
  const { retrySeconds } = webhooks;
  const wait = retrySeconds[attempts] ?? retrySeconds.at(-1) ?? 0;
  const isDone = status === null || status === 200;
  sim.db
    .prepare("UPDATE webhook_delivery SET attempts = ?, status = ?, due_at = ? WHERE seq = ?")
    .run(
      attempts + (status === null ? 0 : 1),
      status,
      isDone ? null : sim.clock.now().getTime() + wait * 1000,
      seq,
    );
}

/** Lists the posts, oldest first, and counts the events that are in none yet. */
export function listDeliveries(sim: Simulator): object {
  const deliveries = sim.db
    .prepare("SELECT * FROM webhook_delivery ORDER BY seq")
    .all()
    .map(({ due_at: dueAt, ...row }) => ({
      ...row,
      due_at: dueAt === null ? null : new Date(Number(dueAt)).toISOString(),
    }));
  const waiting = Number(sim.db.prepare("SELECT count(*) AS n FROM webhook_event").get()?.["n"]);
  return { waiting, deliveries };
}

/** Removes all events and posts, sent and unsent. */
export function forgetWebhooks(sim: Simulator): void {
  sim.db.exec("DELETE FROM webhook_event; DELETE FROM webhook_delivery;");
}
