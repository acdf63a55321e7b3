import { createHash } from "node:crypto";
import { receiveAlert } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { noteChanges } from "#features/tracking/note-changes.ts";
import { inboxRun } from "#features/tracking/runs.ts";
import { addMessage, listMessages, noteFailure, removeMessage } from "#features/tracking/store-inbox.ts";
import type { VendorMessage } from "#features/tracking/tables.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { requestRun } from "#platform/runs/store.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const BATCH = 100;
/** A message that fails so often is given up: polls find what it says. */
const MAX_FAILURES = 5;

/**
 * Stores a message of a vendor as it came, once, so that it is answered at once however long its consequences take: a run reads it.
 * Its sender is known.
 */
export async function keepMessage(
  ctx: TrackingCtx,
  vendor: VendorMessage["vendor"],
  body: Buffer,
): Promise<void> {
  const now = ctx.clock.now();
  const digest = createHash("sha256").update(body).digest();
  await ctx.db.transaction().execute(async (tx) => {
    await addMessage(tx, { vendor, digest, body, now });
    await requestRun(tx, inboxRun, now);
  });
}

export const inboxRuns = (ctx: TrackingCtx): BoundRun[] => [bindRun(inboxRun, readInbox, ctx)];

/** Reads stored messages, the oldest first. One that fails stays for a later run, and does not keep the others. */
async function readInbox(ctx: TrackingCtx, { run, stop }: RunWork): Promise<Ending> {
  const messages = await listMessages(ctx.db, BATCH);
  const failures: unknown[] = [];
  for (const message of messages) {
    if (stop.aborted) return { state: "queued" };
    try {
      await READERS[message.vendor](ctx, message);
      await removeMessage(ctx.db, message.id);
    } catch (error) {
      failures.push(error);
      if (message.failures + 1 < MAX_FAILURES) await noteFailure(ctx.db, message.id);
      else {
        ctx.log.error({ err: error, vendor: message.vendor }, "A vendor's message was given up");
        await removeMessage(ctx.db, message.id);
      }
    }
    run.noteProgress?.();
  }
  if (failures.length > 0) throw new AggregateError(failures, "Messages of vendors could not be read");
  return { state: messages.length === BATCH ? "queued" : "done" };
}

const READERS: Readonly<
  Record<VendorMessage["vendor"], (ctx: TrackingCtx, message: VendorMessage) => Promise<void>>
> = {
  intuit: (ctx, { body, received_at: at }) => noteChanges(ctx, body, at),
  ups: (ctx, { body }) => receiveAlert(ctx, body),
};
