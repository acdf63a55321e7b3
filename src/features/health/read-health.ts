import { statfs } from "node:fs/promises";
import { DATABASE_ANSWERS_MS, OBJECTS_ANSWER_MS, OBJECTS_TRIED_EVERY_MS } from "#features/health/limits.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { within } from "#platform/clock.ts";
import type { Installation } from "#platform/cells.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Metrics } from "#platform/metrics.ts";
import { countMeteredCalls } from "#platform/outbound/store.ts";
import { countOpenRuns, type OpenRunCount } from "#platform/runs/store.ts";

type Counts = { runs: readonly OpenRunCount[]; intuitReads: number };

/** A database, named as in `failing`. */
type Counted = { name: string; count(): Promise<Counts> };

export type HealthCtx = Ctx & {
  /** The first one first. */
  databases: readonly Counted[];
  metrics: Metrics;
  /** Folder of stored files. */
  dataDir: string;
  /** Reads of QuickBooks that Intuit allows a month. */
  monthlyReads: number;
  objects: Pick<ObjectStore, "findFault">;
  /** When the store of files last answered, in milliseconds, and the trial in progress. */
  tried: { at: number; current: Promise<string | null> | null };
};

/** Lists the databases. Each is counted for one caller at a time, so that probes of a frozen one do not pile up. */
export const listDatabases = ({ home, cells }: Installation): Counted[] =>
  cells.map(({ cell, db, clock }) => {
    let current: Promise<Counts> | null = null;
    const count = async () => ({
      runs: await countOpenRuns(db),
      intuitReads: cell === home.cell ? await countMeteredCalls(db, "intuit", clock.now()) : 0,
    });
    return {
      name: cell === home.cell ? FIRST : `database ${cell}`,
      count: () => (current ??= count().finally(() => (current = null))),
    };
  });

const FIRST = "database";

/**
 * Reads the state of this process and what it needs. Only the first database decides whether it is ready: without it
 * no call succeeds. Without a further one the companies of the others can work, and without the store of files only uploads
 * fail, so these are named, and the process stays ready. The rest are facts for those who operate it.
 */
export async function readHealth(ctx: HealthCtx) {
  const [{ stored, failing }, disk, objects] = await Promise.all([
    readStored(ctx),
    readDisk(ctx.dataDir),
    findObjectsFault(ctx),
  ]);
  return {
    ready: stored !== null,
    failing: [...failing, ...(objects === null ? [] : ["objects"])],
    queue: stored && summarize(ctx, stored.runs),
    intuit_reads: stored && { this_month: stored.intuitReads.calls, limit: stored.intuitReads.limit },
    objects,
    disk,
    vendors: ctx.metrics
      .lastCalls()
      .map(({ vendor, outcome, at }) => ({ vendor, outcome, at: at.toISOString() })),
  };
}

/** Adds up the counts of the databases that answer in time. @returns `stored` is null if the first one doesn't */
export async function readStored(ctx: HealthCtx) {
  const answers = await Promise.all(
    ctx.databases.map(async ({ name, count }) => ({ name, counts: await inTime(ctx, name, count()) })),
  );
  const failing = answers.flatMap(({ name, counts }) => (counts ? [] : [name]));
  const counted = answers.flatMap(({ counts }) => counts ?? []);
  const stored = {
    runs: addUp(counted.flatMap(({ runs }) => runs)),
    intuitReads: {
      calls: counted.reduce((sum, { intuitReads }) => sum + intuitReads, 0),
      limit: ctx.monthlyReads,
    },
  };
  return { stored: failing.includes(FIRST) ? null : stored, failing };
}

/** @returns null if the database fails or doesn't answer in time */
function inTime<Answer>(
  { log, clock }: HealthCtx,
  database: string,
  asked: Promise<Answer>,
): Promise<Answer | null> {
  const answer = asked.catch((error: unknown) => {
    log.warn({ err: error, database }, "The database does not answer");
    return null;
  });
  return within(clock, DATABASE_ANSWERS_MS, answer);
}

/** Adds up the counts of several databases. */
function addUp(counts: readonly OpenRunCount[]): OpenRunCount[] {
  const sums = new Map<string, OpenRunCount>();
  for (const one of counts) {
    const sum = sums.get(`${one.kind} ${one.state}`);
    const dues = [one.dueSince, sum?.dueSince].filter((due) => due instanceof Date);
    const dueSince = dues.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
    sums.set(`${one.kind} ${one.state}`, { ...one, count: one.count + (sum?.count ?? 0), dueSince });
  }
  return [...sums.values()];
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

/** Tries the store of files, by one caller at a time; after a fault at each call. */
async function findObjectsFault({ objects, tried, clock }: HealthCtx): Promise<string | null> {
  const now = clock.now().getTime();
  if (now - tried.at < OBJECTS_TRIED_EVERY_MS) return null;
  tried.current ??= objects.findFault(OBJECTS_ANSWER_MS).finally(() => (tried.current = null));
  const fault = await tried.current;
  if (fault === null) tried.at = now;
  return fault;
}

/** Null where the folder is gone or the file system tells nothing. */
async function readDisk(folder: string): Promise<{ free_bytes: number; total_bytes: number } | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats && { free_bytes: stats.bavail * stats.bsize, total_bytes: stats.blocks * stats.bsize };
}
