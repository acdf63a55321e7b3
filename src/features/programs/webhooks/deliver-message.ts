import { findContacts } from "#features/companies/index.ts";
import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import { ATTEMPT_MS } from "#features/programs/webhooks/limits.ts";
import { decide, readAnswer, type Verdict } from "#features/programs/webhooks/rules.ts";
import { deliverRun } from "#features/programs/webhooks/runs.ts";
import { openSecrets } from "#features/programs/webhooks/seals.ts";
import { signMessage } from "#features/programs/webhooks/sign-message.ts";
import {
  changeEndpoint,
  changeMessage,
  findDelivery,
  lockEndpoint,
  type StoredEndpoint,
  type StoredMessage,
} from "#features/programs/webhooks/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { postOnce, type PostAnswer } from "#platform/outbound/post-once.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";

type Delivery = { message: StoredMessage; endpoint: StoredEndpoint };

/** The runs of webhooks. */
export const webhookRuns = (ctx: WebhooksCtx): BoundRun[] => [bindRun(deliverRun, deliverMessage, ctx)];

/**
 * Makes one attempt to post a message. A worker that dies between the attempt and its outcome makes it again: the receiver
 * recognizes the message by its `webhook-id`, as the specification asks of it.
 */
async function deliverMessage(ctx: WebhooksCtx, { run, stop }: RunWork): Promise<Ending | EndInTransaction> {
  const place = { realmId: run.realmId, id: run.subject };
  const found = await findDelivery(ctx.db, place);
  // Removed with its endpoint, or already delivered.
  if (found?.message.state !== "queued") return { state: "done" };
  if (found.endpoint.state !== "active") return endAsOff(ctx, place, found.endpoint.id);
  const posted = await attempt(ctx, found, stop);
  const answer = readAnswer(posted);
  if (answer === "stopped") return { state: "queued" };
  const now = ctx.clock.now();
  return async (tx, save) => {
    // Before the message, as its removal does.
    const endpoint = await lockEndpoint(tx, { realmId: place.realmId, id: found.endpoint.id });
    // Read again: if the message was sent again during the attempt, its attempts start over with this one.
    const current = await findDelivery(tx, place);
    if (!endpoint || !current) return save({ state: "done" });
    const sent = {
      attempts: current.message.attempts + 1,
      failingSince: endpoint.failing_since,
      now,
      ...("status" in posted && { retryAfterSeconds: posted.retryAfterSeconds }),
    };
    const verdict = decide(answer, sent);
    await changeMessage(tx, place, {
      state: verdict.state,
      attempts: sent.attempts,
      answer,
      attempted_at: now,
      due_at: verdict.dueAt,
    });
    // A response from its former address says nothing about the one it has now.
    if (endpoint.url === found.endpoint.url) await noteAnswer(ctx, tx, { endpoint, verdict, now });
    await save(
      verdict.dueAt
        ? { state: "waiting", cause: { code: "webhook_not_taken", params: { answer } }, dueAt: verdict.dueAt }
        : { state: "done" },
    );
  };
}

async function attempt(
  ctx: WebhooksCtx,
  { message, endpoint }: Delivery,
  stop: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(endpoint.url);
  // It may have been saved while plain http was allowed.
  if (url.protocol !== "https:" && ctx.reach !== "loopback") return { fault: "not_https" };
  const now = ctx.clock.now();
  const body = writeBody(ctx, message);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Dockside-Webhooks",
    ...signMessage({ id: message.id, at: now, body }, openSecrets(ctx, endpoint, now)),
  };
  return postOnce(ctx, url, { headers, body, timeoutMs: ATTEMPT_MS, stop });
}

/** A message to an endpoint that was turned off is not sent, unless it has been turned on since. */
const endAsOff =
  (ctx: WebhooksCtx, place: { realmId: string; id: string }, endpointId: string): EndInTransaction =>
  async (tx, save) => {
    const endpoint = await lockEndpoint(tx, { realmId: place.realmId, id: endpointId });
    if (endpoint?.state === "active") return save({ state: "queued" });
    await changeMessage(tx, place, {
      state: "failed",
      answer: "off",
      attempted_at: ctx.clock.now(),
      due_at: null,
    });
    await save({ state: "done" });
  };

type Noted = { endpoint: StoredEndpoint; verdict: Verdict; now: Date };

/** Saves whether an endpoint accepts messages. When one is turned off, the company's contacts are mailed once. */
async function noteAnswer(ctx: WebhooksCtx, tx: Db, { endpoint, verdict, now }: Noted): Promise<void> {
  const { realm_id: realmId, id, url } = endpoint;
  const failingSince = verdict.state === "delivered" ? null : (endpoint.failing_since ?? now);
  const state = endpoint.state === "active" ? (verdict.turnOff ?? "active") : endpoint.state;
  await changeEndpoint(tx, { realmId, id }, { failing_since: failingSince, state });
  if (state === "active" || endpoint.state !== "active") return;
  const { company, recipients } = await findContacts(tx, realmId);
  const { host } = new URL(url);
  for (const recipient of recipients)
    await ctx.notify(tx, {
      kind: "webhook_off",
      realmId,
      recipient,
      params: { company, host, cause: state },
    });
}

/** Page on which a user sees what an event is about; Settings for any other one. */
const PAGES: Readonly<Record<string, string>> = {
  "upload.finished": "/app/",
  "labels.made": "/label/",
  "gs1_labels.made": "/label/",
  "package.delivered": "/tracking/",
  "invoice.posted": "/orders/",
  "order.accepted": "/orders/",
  "order.refused": "/orders/",
};

const findPage = (event: string, { vendor }: Readonly<Record<string, unknown>>): string =>
  event === "connection.lost" && vendor === "intuit" ? "/get-app/" : (PAGES[event] ?? "/settings/");

/** Writes the body of a message, the same for every attempt. */
function writeBody(
  { publicUrl }: Pick<WebhooksCtx, "publicUrl">,
  { realm_id: realmId, event, data, created_at: at }: StoredMessage,
): string {
  return JSON.stringify({
    type: event,
    timestamp: at.toISOString(),
    data: { company_id: realmId, ...data, page: `${publicUrl}${findPage(event, data)}` },
  });
}
