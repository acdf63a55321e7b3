import type { WebhookEvent } from "#features/programs/webhooks/contract.ts";
import { KEPT_MS } from "#features/programs/webhooks/limits.ts";
import { deliverRun } from "#features/programs/webhooks/runs.ts";
import { deleteMessages, insertForSubscribers } from "#features/programs/webhooks/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { addRun, removeEndedRuns } from "#platform/runs/store.ts";

/** Ids, numbers and states: no names of people, no addresses. */
type EventData = Readonly<Record<string, string | number | null | readonly string[]>>;

/**
 * Queues an event for a company's webhooks, in the transaction of its cause: it is sent exactly if the transaction
 * commits.
 */
export async function addEvent(
  ctx: Pick<Ctx, "clock" | "ids">,
  tx: Db,
  { realmId, event, data }: { realmId: string; event: WebhookEvent; data: EventData },
): Promise<void> {
  const now = ctx.clock.now();
  for (const { id, endpointId } of await insertForSubscribers(tx, { realmId, event, data, now }))
    await queueMessage(ctx, tx, { realmId, id, endpointId });
}

/** Queues the delivery of a stored message. */
export const queueMessage = (
  { clock, ids }: Pick<Ctx, "clock" | "ids">,
  tx: Db,
  { realmId, id, endpointId }: { realmId: string; id: string; endpointId: string },
): Promise<void> =>
  addRun(tx, deliverRun, {
    realmId,
    id: ids.uuid(),
    subject: id,
    part: endpointId,
    requestedBy: "system",
    requestedAt: clock.now(),
  });

/** Deletes old messages, and their runs. */
export async function removeOldWebhookMessages({ db, clock }: Ctx): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await deleteMessages(db, before);
  await removeEndedRuns(db, deliverRun, before);
}
