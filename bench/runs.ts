import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { systemClock } from "#platform/clock.ts";
import { connectDatabase, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createLog } from "#platform/log.ts";
import { bindRun, defineRun, type RunHandler } from "#platform/runs/define-run.ts";
import { dispatchRuns } from "#platform/runs/dispatch-runs.ts";
import { addRun } from "#platform/runs/store.ts";
import { figure, info, percentile, report, spread } from "./support/figures.ts";

/** Measures how soon a new run is taken, with many known companies and many waiting runs. */
const COMPANIES = 100_000;
const WAITING = 20_000;
const LONG_LANE = 2_000;
const PICKS = 1_000;
const BETWEEN_MS = 5;

const log = createLog("silent");
/** Another process, whose lease does not end. */
const LIVING = randomUUID();
const kind = defineRun({ kind: "bench.work", lane: (realmId) => `bench:${realmId}` });
const other = defineRun({ kind: "bench.other", lane: (realmId) => `other:${realmId}` });

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-runs-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log });
const { db, close } = connectDatabase(server.connectionString, log, MIGRATION_LIMITS);
try {
  await migrateDatabase(db);
  const empty = await pickUp(db);
  await fill(db);
  const full = await pickUp(db);
  report(`Taking a run that was just added, ${PICKS} times`, [
    info("an empty queue, p50 / p95 / p99", spread(empty)),
    info("100,000 companies seen, 20,000 runs waiting, 2,000 in one busy lane", spread(full)),
    figure("  p50", percentile(full, 0.5), { most: 10, unit: "ms" }),
    figure("  p99", percentile(full, 0.99), { most: 100, unit: "ms" }),
  ]);
} finally {
  await close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Adds five finished runs for each company; waiting runs, half of them for an event; a lane whose first run
 * is held; and another kind's queue.
 */
async function fill(tx: Db): Promise<void> {
  const columns = sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at, finished_at)`;
  await sql`${columns} select (n % ${COMPANIES})::text, gen_random_uuid(), ${kind.kind}, 'bench:' || n % ${COMPANIES},
    gen_random_uuid(), 'done', now(), 'user', now(), now() from generate_series(1, ${5 * COMPANIES}) n`.execute(
    tx,
  );
  await sql`${columns} select n::text, gen_random_uuid(), ${kind.kind}, 'bench:' || n, gen_random_uuid(), 'waiting',
    case when n % 2 = 0 then now() + interval '1 hour' end, 'user', now(), null
    from generate_series(1, ${WAITING}) n`.execute(tx);
  await sql`${columns} select 'busy', gen_random_uuid(), ${kind.kind}, 'bench:busy', gen_random_uuid(), 'queued', now(), 'user',
    now() + n * interval '1 microsecond', null from generate_series(1, ${LONG_LANE}) n`.execute(tx);
  await sql`${columns} select n::text, gen_random_uuid(), ${other.kind}, 'other:' || n, gen_random_uuid(), 'queued', now(), 'user',
    now(), null from generate_series(1, ${LONG_LANE}) n`.execute(tx);
  await sql`update run set state = 'working', holder = ${LIVING}::uuid where id = (select id from run
    where lane = 'bench:busy' order by requested_at limit 1)`.execute(tx);
  await sql`insert into run_holder (id, lease_until) values (${LIVING}::uuid, now() + interval '1 day')`.execute(
    tx,
  );
  await sql`vacuum analyze run`.execute(tx);
}

/** @returns milliseconds from before each run is added until its handler starts */
async function pickUp(tx: Db): Promise<number[]> {
  const own = connectDatabase(server.connectionString, log);
  const begun = new Map<string, () => void>();
  const begin: RunHandler<null> = (_, { run }) => {
    begun.get(run.subject)?.();
    return Promise.resolve({ state: "done" });
  };
  const stop = await dispatchRuns({
    ...own,
    connectionString: server.connectionString,
    clock: systemClock,
    log,
    holder: randomUUID(),
    pools: [{ runs: [bindRun(kind, begin, null)], slots: 12 }],
    times: { leaseMs: 6_000, sliceMs: 5_000, pollMs: 1_000 },
  });
  const times: number[] = [];
  for (let pick = 0; pick < PICKS; pick += 1) {
    const id = randomUUID();
    const began = new Promise<void>((resolve) => begun.set(id, resolve));
    const startedAt = performance.now();
    const realmId = `new ${pick % 100}`;
    await addRun(tx, kind, { realmId, id, subject: id, requestedBy: "user", requestedAt: systemClock.now() });
    await began;
    times.push(performance.now() - startedAt);
    begun.delete(id);
    await wait(BETWEEN_MS);
  }
  await stop();
  await own.close();
  return times;
}
