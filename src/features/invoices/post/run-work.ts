import type { Db } from "#platform/db/connect.ts";
import { retryAfterMs, type JobRun } from "#platform/jobs/define-job.ts";
import { enterFence, FencedOut, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { refreshSummary, withSummary } from "#features/invoices/results/refresh-summary.ts";
import { endOfFailure, type EndWords, type WorkEnd } from "#features/invoices/post/rules-end.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";

/** One start of work on an upload whose fence is held, be it posted or undone. `Own` are ends only this work has. */
type Start<Own> = {
  held: Held;
  run: JobRun;
  /** True when it waited for QuickBooks before. */
  patient: boolean;
  words: EndWords;
  work(): Promise<WorkEnd | Own>;
  /** Writes the state that the end means. */
  save(tx: Db, end: WorkEnd | Own): Promise<void>;
};

/**
 * Works on an upload and leaves it in the state its end means, for people and for the next start. What waits for
 * QuickBooks comes back by itself, however long that lasts; what waits for a person is woken by the reconnection.
 * @returns after how many ms the work must be taken up again, or null when this is its end or somebody else wakes it
 * @throws FencedOut when another worker has taken the upload; any failure that the next attempt may not meet
 */
export async function runWork<Own extends { kind: "checked" } = never>(
  ctx: InvoicesCtx,
  start: Start<Own>,
): Promise<number | null> {
  const authorisation = await ctx.findAuthorisation(start.held.realmId);
  try {
    await refreshSummary(ctx, start.held.realmId, start.held.id);
    return await finish(ctx, start, { authorisation, end: await start.work() });
  } catch (error) {
    if (error instanceof FencedOut) throw error;
    const end = endOfFailure(error, start);
    if (end.kind === "again") {
      await rest(ctx, start, { authorisation, isAway: end.isAway });
      throw error;
    }
    const about = { err: error, upload: start.held.id, end: end.kind };
    if (end.kind === "failed") ctx.log.error(about, "Work on an upload failed too often");
    else ctx.log.warn(about, "Work on an upload ended early or waits");
    return finish(ctx, start, { authorisation, end });
  }
}

/** Until the next attempt nobody works on it, and people are not told that somebody does. */
async function rest<Own extends { kind: "checked" }>(
  ctx: InvoicesCtx,
  start: Start<Own>,
  { authorisation, isAway }: { authorisation: string | null; isAway: boolean },
): Promise<void> {
  const { words, run, held } = start;
  const afterMs = retryAfterMs(run);
  const reason = isAway ? words.noAnswer : words.again(new Date(ctx.clock.now().getTime() + afterMs));
  try {
    await finish(ctx, start, { authorisation, end: { kind: "later", state: "queued", reason, afterMs } });
  } catch (error) {
    if (error instanceof FencedOut) throw error;
    // The failure itself may be the database's; what is to be told is the first one.
    ctx.log.warn({ err: error, upload: held.id }, "An upload that failed could not be put back in line");
  }
}

async function finish<Own extends { kind: "checked" }>(
  ctx: InvoicesCtx,
  { held, save }: Start<Own>,
  { authorisation, end }: { authorisation: string | null; end: WorkEnd | Own },
): Promise<number | null> {
  const kind = await withSummary(ctx, held, async (tx) => {
    await enterFence(tx, held);
    const refused = { realmId: held.realmId, authorisation };
    const goesOn = end.kind === "reconnect" && !(await ctx.onReconnectNeeded(tx, refused));
    const ending: WorkEnd | Own = goesOn ? { kind: "interrupted" } : end;
    await save(tx, ending);
    return ending.kind;
  });
  if (kind === "interrupted") return 0;
  return end.kind === "later" ? end.afterMs : null;
}
