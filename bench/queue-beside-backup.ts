import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { systemClock } from "#platform/clock.ts";
import { connectDatabase, type Db } from "#platform/db/connect.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createLog } from "#platform/log.ts";
import { bindRun, defineRun, type RunHandler } from "#platform/runs/define-run.ts";
import { dispatchRuns } from "#platform/runs/dispatch-runs.ts";
import { addRun } from "#platform/runs/store.ts";
import { figure, info, percentile, report } from "./support/figures.ts";

/**
 * HA-08: measures the rate of the queue during a long snapshot, as a backup holds one: until its end PostgreSQL keeps every
 * version of every run. Turns with and without one alternate, so that a machine that gets busier changes both.
 */
const TURNS = 4;
const TURN_MS = 20_000;
/** Time of a run: a vendor's call, and nothing, which is as fast as the database lets them end. */
const WORK_MS = [100, 0];
/** Runs that are waiting at any time, each in a lane of its own. */
const RUNS = 40;
/** Runs that ended before, as a product in use has: plans for an empty table read all of it. */
const ENDED = 20_000;

const log = createLog("silent");
const kind = defineRun({ kind: "bench.work", lane: (realmId) => `bench:${realmId}` });

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-queue-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log });
const { db, close } = connectDatabase(server.connectionString, log);
try {
  await migrateDatabase(db);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, fence, requested_by, requested_at, finished_at)
    select n::text, gen_random_uuid(), 'bench.ended', 'bench:' || n, gen_random_uuid(), 'done', now(), 1, 'user', now(), now()
    from generate_series(1, ${ENDED}::int) n`.execute(db);
  await measure(db, 0);
  for (const workMs of WORK_MS) {
    const rates: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
    for (let turn = 0; turn < TURNS; turn += 1) {
      rates.alone.push(await measure(db, workMs));
      rates.beside.push(await holdSnapshot(db, () => measure(db, workMs)));
    }
    const ratios = rates.alone.map((rate, turn) => ((rates.beside[turn] ?? 0) / rate) * 100);
    report(`Runs of ${workMs} ms done in ${TURN_MS / 1_000} s, ${TURNS} turns each`, [
      info("a second, alone", rates.alone.map(Math.round).join(" ")),
      info("a second, beside a snapshot", rates.beside.map(Math.round).join(" ")),
      figure("rate beside a snapshot, median", percentile(ratios, 0.5), { least: 95, unit: "%" }),
    ]);
  }
} finally {
  await close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/** @returns runs that were done, a second */
async function measure(tx: Db, workMs: number): Promise<number> {
  await sql`vacuum analyze run`.execute(tx);
  const own = connectDatabase(server.connectionString, log);
  let [done, isOver] = [0, false];
  const add = (realmId: string) =>
    addRun(tx, kind, {
      realmId,
      id: randomUUID(),
      subject: randomUUID(),
      requestedBy: "user",
      requestedAt: systemClock.now(),
    });
  const handle: RunHandler<null> = async (_, { run }) => {
    if (workMs > 0) await wait(workMs);
    done += 1;
    if (!isOver) await add(run.realmId ?? "");
    return { state: "done" };
  };
  const stop = await dispatchRuns({
    ...own,
    connectionString: server.connectionString,
    clock: systemClock,
    log,
    holder: randomUUID(),
    pools: [{ runs: [bindRun(kind, handle, null)], slots: 12 }],
    times: { leaseMs: 6_000, sliceMs: 5_000, pollMs: 1_000 },
  });
  for (let lane = 0; lane < RUNS; lane += 1) await add(`lane ${lane}`);
  const [before, startedAt] = [done, performance.now()];
  await wait(TURN_MS);
  const rate = ((done - before) * 1_000) / (performance.now() - startedAt);
  isOver = true;
  await stop();
  await own.close();
  await sql`delete from run where kind = ${kind.kind}`.execute(tx);
  return rate;
}

/** Does work while another connection reads what there was before, as a backup does. */
async function holdSnapshot<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  return tx
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (held) => {
      await sql`select count(*) from run`.execute(held);
      return work();
    });
}
