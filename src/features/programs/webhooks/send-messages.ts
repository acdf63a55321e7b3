import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import { queueMessage } from "#features/programs/webhooks/add-event.ts";
import { toWebhook, withEndpoint } from "#features/programs/webhooks/change-endpoints.ts";
import type { Webhook, WebhookMessage } from "#features/programs/webhooks/contract.ts";
import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import { MAX_LISTED, MAX_REPLAYED } from "#features/programs/webhooks/limits.ts";
import { deliverRun } from "#features/programs/webhooks/runs.ts";
import {
  changeMessage,
  findDelivery,
  findEndpoints,
  findFailed,
  findMessages,
  insertMessage,
  type StoredMessage,
} from "#features/programs/webhooks/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict, notFound } from "#platform/errors.ts";
import { findLatestRun, makeDue } from "#platform/runs/store.ts";

type CallCtx = WebhooksCtx & Audited;

/** Lists the endpoints of a company, and the last messages to them. */
export async function listWebhooks(
  { db }: WebhooksCtx,
  { realmId }: Company,
): Promise<{ webhooks: Webhook[]; messages: WebhookMessage[] }> {
  const endpoints = await findEndpoints(db, realmId);
  const messages = await findMessages(db, realmId, MAX_LISTED);
  return { webhooks: endpoints.map(toWebhook), messages: messages.map(toMessage) };
}

/**
 * Sends a test message to an endpoint.
 * @throws AppError 404 for one that the company does not have; 409 for one that is off
 */
export const sendTest = (ctx: CallCtx, { realmId }: Company, endpointId: string): Promise<WebhookMessage> =>
  withEndpoint(ctx, { realmId, id: endpointId }, async (tx, { state, url }) => {
    if (state !== "active") throw isOff();
    const now = ctx.clock.now();
    const message: StoredMessage = {
      realm_id: realmId,
      id: ctx.ids.uuid(),
      endpoint_id: endpointId,
      event: "webhook.test",
      data: {},
      state: "queued",
      attempts: 0,
      answer: "",
      created_at: now,
      attempted_at: null,
      due_at: now,
    };
    await insertMessage(tx, message);
    await queueMessage(ctx, tx, { realmId, id: message.id, endpointId });
    await ctx.audit(tx, { action: "companies.test_webhook", ids: { message: message.id }, after: { url } });
    return toMessage(message);
  });

/**
 * Sends a message again under its id; one that waits for its next attempt is sent now.
 * @throws AppError 404 for one that the company does not have; 409 if its endpoint is off
 */
export async function replayMessage(ctx: CallCtx, { realmId }: Company, id: string): Promise<WebhookMessage> {
  const found = await findDelivery(ctx.db, { realmId, id });
  if (!found) throw notFound("We can't find this message. Reload the page.");
  return withEndpoint(ctx, { realmId, id: found.message.endpoint_id }, async (tx, { state, url }) => {
    if (state !== "active") throw isOff();
    const { event } = found.message;
    await requeue(ctx, tx, { realmId, id, endpointId: found.message.endpoint_id });
    await ctx.audit(tx, { action: "companies.replay_webhook", ids: { message: id }, after: { event, url } });
    return toMessage({ ...found.message, state: "queued", attempts: 0, due_at: ctx.clock.now() });
  });
}

/**
 * Sends the failed messages of an endpoint since a time again, the oldest ones first.
 * @returns how many; after the maximum, another call sends the others
 * @throws AppError 404 for one that the company does not have; 409 for one that is off
 */
export const replayFailed = (
  ctx: CallCtx,
  { realmId }: Company,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<{ messages: number }> =>
  withEndpoint(ctx, { realmId, id: endpointId }, async (tx, { state, url }) => {
    if (state !== "active") throw isOff();
    const failed = await findFailed(tx, { realmId, id: endpointId }, { since, limit: MAX_REPLAYED });
    for (const id of failed) await requeue(ctx, tx, { realmId, id, endpointId });
    await ctx.audit(tx, {
      action: "companies.replay_failed_webhooks",
      ids: { webhook: endpointId },
      after: { url, messages: failed.length },
    });
    return { messages: failed.length };
  });

/** Queues a message again. The caller holds the lock of its endpoint, which the end of every attempt takes too. */
async function requeue(
  ctx: WebhooksCtx,
  tx: Db,
  place: { realmId: string; id: string; endpointId: string },
): Promise<void> {
  const now = ctx.clock.now();
  await changeMessage(tx, place, { state: "queued", attempts: 0, due_at: now });
  const { realmId, id: subject } = place;
  const run = await findLatestRun(tx, { realmId, subject }, [deliverRun.kind]);
  const isDue = run?.state === "waiting" && (await makeDue(tx, { realmId, id: run.id, now })) !== null;
  if (!isDue) await queueMessage(ctx, tx, place);
}

const isOff = () => conflict("webhook_off", "This webhook is off. Turn it on first.");

export const toMessage = ({
  id,
  endpoint_id,
  event,
  state,
  attempts,
  answer,
  ...times
}: StoredMessage): WebhookMessage => ({
  id,
  endpoint_id,
  event,
  state,
  attempts,
  answer,
  created_at: times.created_at.toISOString(),
  attempted_at: times.attempted_at?.toISOString() ?? null,
  due_at: times.due_at?.toISOString() ?? null,
});
