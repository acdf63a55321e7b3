import type { Db } from "#platform/db/connect.ts";
import type { JobRun } from "#platform/jobs/define-job.ts";
import { enterFence, FencedOut, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { refreshSummary, withSummary } from "#features/invoices/refresh-summary.ts";
import { endOfFailure, type EndWords, type WorkEnd } from "#features/invoices/rules-end.ts";
import type { Held } from "#features/invoices/store-ledger.ts";

/** One start of work on an upload whose fence is held, be it posted or undone. `Own` are ends only this work has. */
type Start<Own> = {
  held: Held;
  run: JobRun;
  /** True when it waited before, or was started so often that no start may be spent on a failure. */
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
    if (!end) throw error;
    const about = { err: error, upload: start.held.id, end: end.kind };
    if (end.kind === "failed") ctx.log.error(about, "Work on an upload failed too often");
    else ctx.log.warn(about, "Work on an upload ended early or waits");
    return finish(ctx, start, { authorisation, end });
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
