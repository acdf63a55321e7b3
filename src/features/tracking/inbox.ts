import { createHash } from "node:crypto";
import { receiveAlert } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { inboxRun, runWatchSooner } from "#features/tracking/runs.ts";
import {
  addMessage,
  listMessages,
  noteFailure,
  removeMessage,
  removeMessagesBefore,
} from "#features/tracking/store-inbox.ts";
import type { VendorMessage } from "#features/tracking/tables.ts";
import { isAway } from "#platform/db/failure.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { removeEndedRuns, requestRun } from "#platform/runs/store.ts";
import { MAX_FAILURES, retryAfterMs } from "#platform/runs/times.ts";
import type { Cause, Ending, RunWork } from "#platform/runs/types.ts";
import { DAY_MS } from "#platform/time.ts";
import { DEBOUNCE_MS, isRead } from "#features/tracking/rules-reads.ts";
import { findFollowed, markInvoicesChanged } from "#features/tracking/store.ts";
import { findRecentWrites } from "#features/tracking/store-writes.ts";
import { readWebhook } from "#integrations/intuit/verify-webhook.ts";

const BATCH = 100;
/** A message that fails for longer is shown to operators; until then it may be a slip of ours, or a company that is busy. */
const DOUBTED_MS = 10 * 60_000;
/** Polls have found long ago what an older message says. */
const KEPT_MS = 30 * DAY_MS;
const FAILED: Cause = { code: "failed_once" };

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

/**
 * Reads stored messages, the oldest first. One that fails stays for a later attempt, and does not keep the others. Its run has
 * failed when it fails for longer than ten minutes.
 */
async function readInbox(ctx: TrackingCtx, { run, stop }: RunWork): Promise<Ending> {
  const messages = await listMessages(ctx.db, BATCH);
  const startedAt = ctx.clock.now();
  // A new message, which queues the run, isn't a reason to retry failed ones; only their due time or an operator is.
  const isAsked = run.waitedFor !== null;
  const failed: Failed[] = [];
  for (const message of messages) {
    if (stop.aborted) return { state: "queued" };
    if (message.failures > 0 && !isAsked && dueAt(message) > startedAt) failed.push({ message, error: null });
    else {
      const error = await readMessage(ctx, message);
      if (error !== null) failed.push({ message: { ...message, failures: message.failures + 1 }, error });
    }
    run.noteProgress?.();
  }
  if (messages.length === BATCH && failed.length < BATCH) return { state: "queued" };
  return failed.length === 0 ? { state: "done" } : waitForNext(failed, startedAt);
}

type Failed = { message: VendorMessage; error: unknown };

/** @returns the failure; null if it was read */
async function readMessage(ctx: TrackingCtx, message: VendorMessage): Promise<unknown> {
  try {
    await READERS[message.vendor](ctx, message);
    await removeMessage(ctx.db, message);
    return null;
  } catch (error) {
    if (isAway(error)) throw error;
    await noteFailure(ctx.db, message);
    ctx.log[isLate(message, ctx.clock.now()) ? "error" : "warn"](
      { err: error, vendor: message.vendor, failures: message.failures + 1 },
      "A vendor's message could not be read",
    );
    return error;
  }
}

function waitForNext(failed: readonly Failed[], now: Date): Ending {
  const late = failed.filter(({ message }) => isLate(message, now));
  const error = late.find((message) => message.error !== null)?.error;
  const next = Math.min(...failed.map(({ message }) => dueAt(message).getTime()));
  return {
    state: "waiting",
    cause: FAILED,
    dueAt: new Date(Math.max(next, now.getTime() + 1_000)),
    failed: late.length > 0,
    ...(error !== undefined && { error }),
  };
}

const isLate = ({ received_at: at }: VendorMessage, now: Date): boolean =>
  now.getTime() - at.getTime() >= DOUBTED_MS;

/** Its next attempt: after the pauses of a run that fails, and then each time after the longest. */
const dueAt = ({ received_at: at, failures }: VendorMessage): Date =>
  new Date(at.getTime() + retryAfterMs(failures) * Math.max(1, failures - MAX_FAILURES + 1));

/** Removes ended runs of the inbox, and failed messages older than `KEPT_MS`. */
export async function removeOldInbox({ db, clock }: Pick<TrackingCtx, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await removeEndedRuns(db, inboxRun, before);
  await removeMessagesBefore(db, before);
}

const READERS: Readonly<
  Record<VendorMessage["vendor"], (ctx: TrackingCtx, message: VendorMessage) => Promise<void>>
> = {
  intuit: (ctx, { body, received_at: at }) => noteChanges(ctx, body, at),
  ups: (ctx, { body }) => receiveAlert(ctx, body),
};

/** QuickBooks reports our own writes too, some seconds later. */
const ECHO_MS = 60_000;
/** More new invoices in one report are read without a search for those that we posted. */
const MAX_NEW = 1_000;
/** A change that much later than our write is a user's. Intuit names whole seconds, by its own clock. */
const CLOCKS_MS = 3_000;

/**
 * Notes that invoices changed, as Intuit reports. Which ones is read later, for all at once; reports of our own writes, and
 * of what was read already, are left out, since a read is metered.
 * @param now when the report came
 */
async function noteChanges(ctx: TrackingCtx, body: Buffer, now: Date): Promise<void> {
  const byRealm = Map.groupBy(
    readWebhook(body).filter(({ entity }) => entity === "invoice"),
    ({ realmId }) => realmId,
  );
  for (const [realmId, reported] of byRealm) {
    const company = await findFollowed(ctx.db, realmId);
    if (!company) continue;
    const ids = [...new Set(reported.map(({ id }) => id))];
    const since = new Date(now.getTime() - ECHO_MS);
    const ours = await findRecentWrites(ctx.db, realmId, { ids, since });
    const isEcho = ({ id, operation, at }: (typeof reported)[number]) => {
      const written = ours.get(id);
      if (operation !== "updated" || written === undefined) return false;
      return written === null || at === null || at.getTime() <= written.getTime() + CLOCKS_MS;
    };
    const known = { readUntil: company.read_until, repeatAt: company.repeat_at };
    const isKnown = ({ at }: (typeof reported)[number]) => at !== null && isRead(at, known);
    const others = reported.filter((event) => !isEcho(event) && !isKnown(event));
    if (others.length === 0) continue;
    const isNew = others.every(({ operation }) => operation === "created");
    const created = isNew && others.length <= MAX_NEW ? others.map(({ id }) => id) : null;
    // No pass before the read: it would only find when to read.
    const readAt = new Date(now.getTime() + DEBOUNCE_MS);
    await ctx.db.transaction().execute(async (tx) => {
      await markInvoicesChanged(tx, realmId, { created, now });
      await runWatchSooner(tx, realmId, readAt);
    });
  }
}
