import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { DATABASE_ANSWERS_MS } from "#features/health/limits.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Metrics } from "#platform/metrics.ts";
import { countOpenRuns, type OpenRunCount } from "#platform/runs/store.ts";

export type HealthCtx = Ctx & {
  metrics: Metrics;
  /** Folder of stored files. */
  dataDir: string;
  /** Asked for open runs by one caller at a time, so that probes of a frozen database do not pile up. */
  asking: { current: Promise<readonly OpenRunCount[]> | null };
};

/**
 * Reads the state of this process and what it needs. Only the database decides whether it is ready: without it
 * no call succeeds. The rest are facts for those who operate it.
 */
export async function readHealth(ctx: HealthCtx) {
  const [open, disk] = await Promise.all([readOpenRuns(ctx), readDisk(ctx.dataDir)]);
  return {
    failing: open ? [] : ["database"],
    queue: open && summarize(ctx, open),
    disk,
    vendors: ctx.metrics
      .lastCalls()
      .map(({ vendor, outcome, at }) => ({ vendor, outcome, at: at.toISOString() })),
  };
}

/** @returns null if the database does not answer in time */
export async function readOpenRuns(ctx: HealthCtx): Promise<readonly OpenRunCount[] | null> {
  ctx.asking.current ??= countOpenRuns(ctx.db).finally(() => (ctx.asking.current = null));
  const over = new AbortController();
  const late = wait(DATABASE_ANSWERS_MS, null, { signal: over.signal }).catch(() => null);
  const answer = ctx.asking.current.catch((error: unknown) => {
    ctx.log.warn({ err: error }, "The database does not answer");
    return null;
  });
  return Promise.race([answer, late]).finally(() => over.abort());
}

function summarize({ clock }: HealthCtx, open: readonly OpenRunCount[]) {
  const count = (state: string) =>
    open.filter((one) => one.state === state).reduce((sum, one) => sum + one.count, 0);
  const due = open.flatMap((one) => (one.state === "queued" && one.dueSince ? [one.dueSince.getTime()] : []));
  const oldestMs = due.length === 0 ? 0 : clock.now().getTime() - Math.min(...due);
  return {
    queued: count("queued"),
    working: count("working"),
    waiting: count("waiting"),
    oldest_queued_seconds: Math.max(0, Math.round(oldestMs / 1_000)),
  };
}

/** Null where the folder is gone or the file system tells nothing. */
async function readDisk(folder: string): Promise<{ free_bytes: number; total_bytes: number } | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats && { free_bytes: stats.bavail * stats.bsize, total_bytes: stats.blocks * stats.bsize };
}
