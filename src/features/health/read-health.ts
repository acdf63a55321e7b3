import { statfs } from "node:fs/promises";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { within } from "#platform/clock.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { chooseLevel } from "#platform/db/failure.ts";
import { findStandbyFault, readServers, type Servers } from "#platform/db/servers.ts";
import type { Reads, ReplicaState } from "#platform/db/replica.ts";
import type { Metrics } from "#platform/metrics.ts";
import { countMeteredCalls } from "#platform/outbound/store.ts";
import { countOpenRuns, type OpenRunCount } from "#platform/runs/store.ts";

/**
 * The database must answer within this time to count as ready. Probes of container platforms wait 1 to 5 s, and
 * a healthy database needs 2 ms.
 */
export const DATABASE_ANSWERS_MS = 2_000;

/** The same for each of the four calls that try the store of files. A good one answers in 100 ms. */
const OBJECTS_ANSWER_MS = 1_000;

/** A store of files that answered is tried again after this time: probes come every few seconds, and a store counts calls. */
const OBJECTS_TRIED_EVERY_MS = 30_000;

type Stored = {
  runs: readonly OpenRunCount[];
  intuitReads: { calls: number; limit: number };
  upsFault: string | null;
  servers: Servers;
  replica: ReplicaState | null;
};

export type HealthCtx = Ctx & {
  metrics: Metrics;
  /** Folder of stored files. */
  dataDir: string;
  /** Reads of QuickBooks that Intuit allows a month. */
  monthlyReads: number;
  /** Synchronous standbys that the database should have. */
  standbys: number;
  longReads: Pick<Reads, "describe">;
  objects: Pick<ObjectStore, "findFault">;
  /** When the store of files last answered, in milliseconds, and the trial in progress. */
  tried: { at: number; current: Promise<string | null> | null };
  /** Counts are asked for by one caller at a time, so that probes of a frozen database do not pile up. */
  asking: { current: Promise<Stored> | null };
  /** Why UPS refuses this installation. */
  findUpsFault(db: Db): Promise<string | null>;
};

/**
 * Reads the state of this process and what it needs. Only the database decides whether it is ready: without it
 * no call succeeds. Without the store of files only uploads fail, so that is named, and the process stays ready. The rest are
 * facts for those who operate it.
 */
export async function readHealth(ctx: HealthCtx) {
  const [stored, disk, objects] = await Promise.all([
    readStored(ctx),
    readDisk(ctx.dataDir),
    findObjectsFault(ctx),
  ]);
  const standbyFault = stored && findStandbyFault(stored.servers, ctx.standbys);
  return {
    ready: stored !== null,
    failing: [
      ...(stored ? [] : ["database"]),
      ...(objects === null ? [] : ["objects"]),
      ...(stored?.upsFault ? ["ups"] : []),
      ...(standbyFault ? ["standbys"] : []),
      ...(stored?.replica?.fault ? ["replica"] : []),
    ],
    database: stored && {
      ...describeServers(stored.servers),
      fault: standbyFault,
      replica: stored.replica && { lag_seconds: stored.replica.lagSeconds, fault: stored.replica.fault },
    },
    queue: stored && summarize(ctx, stored.runs),
    intuit_reads: stored && { this_month: stored.intuitReads.calls, limit: stored.intuitReads.limit },
    objects,
    ups: stored?.upsFault ?? null,
    disk,
    vendors: ctx.metrics
      .lastCalls()
      .map(({ vendor, outcome, at }) => ({ vendor, outcome, at: at.toISOString() })),
  };
}

/** @returns null if the database fails or doesn't answer in time */
export async function readStored(ctx: HealthCtx): Promise<Stored | null> {
  ctx.asking.current ??= askDatabase(ctx).finally(() => (ctx.asking.current = null));
  const answer = ctx.asking.current.catch((error: unknown) => {
    ctx.log[chooseLevel(error)]({ err: error }, "The database does not answer");
    return null;
  });
  return within(ctx.clock, DATABASE_ANSWERS_MS, answer);
}

async function askDatabase({ db, clock, longReads, monthlyReads, findUpsFault }: HealthCtx): Promise<Stored> {
  const replica = longReads.describe();
  const runs = await countOpenRuns(db);
  const calls = await countMeteredCalls(db, "intuit", clock.now());
  return {
    runs,
    intuitReads: { calls, limit: monthlyReads },
    upsFault: await findUpsFault(db),
    servers: await readServers(db),
    replica: await replica,
  };
}

const describeServers = ({ primary, timeline, standbys }: Servers) => ({
  primary,
  timeline,
  standbys:
    standbys?.map(({ name, isSynchronous, lagSeconds }) => ({
      name,
      is_synchronous: isSynchronous,
      lag_seconds: lagSeconds,
    })) ?? null,
});

function summarize({ clock }: HealthCtx, open: readonly OpenRunCount[]) {
  const count = (state: string) =>
    open.filter((group) => group.state === state).reduce((sum, group) => sum + group.count, 0);
  const due = open.flatMap((group) =>
    group.state === "queued" && group.dueSince ? [group.dueSince.getTime()] : [],
  );
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

/** Null where the folder is gone or the file system reports nothing. */
async function readDisk(folder: string): Promise<{ free_bytes: number; total_bytes: number } | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats && { free_bytes: stats.bavail * stats.bsize, total_bytes: stats.blocks * stats.bsize };
}
