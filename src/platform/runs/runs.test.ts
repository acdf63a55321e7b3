import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db, WORK_LIMITS } from "#platform/db/connect.ts";
import { createLog, type Log } from "#platform/log.ts";
import { bindRun, defineRun, type RunHandler } from "#platform/runs/define-run.ts";
import type { Cause, Ending } from "#platform/runs/types.ts";
import { dispatchRuns } from "#platform/runs/dispatch-runs.ts";
import { LeaseLost, withFence } from "#platform/runs/fence.ts";
import { addRun, cancelRuns, findLatestRun, findRunLog, requestRun, wakeRuns } from "#platform/runs/store.ts";
import { MINUTE_MS } from "#platform/time.ts";
import { renewHeld, requeueAbandoned, takeRun } from "#platform/runs/store-dispatch.ts";
import { nextTime, type RunTimes } from "#platform/runs/times.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

const SLOTS = 4;
const TIMES: RunTimes = { leaseMs: 3_600_000, sliceMs: 50, pollMs: 100 };
/** A process that looks twice a second for others that have died. */
const LOOKING = { leaseMs: 2_000 };
const log = createLog("silent");
const KIND = defineRun({ kind: "test.work", lane: (realmId) => `test:${realmId}` });
const HOLD = defineRun({ kind: "test.hold", lane: (realmId) => `test:${realmId}` });

type Added = { realmId: string; id: string };

/** A database with runs, and workers on it; all of it ends with the test. */
async function openRuns() {
  const database = await createTestDatabase();
  // At the beginning of a minute, in which no periodic run is due by itself.
  const clock = steppedClock(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + AHEAD_MS);
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await database.drop();
  });
  const work = async (
    handler: RunHandler<null>,
    {
      times = {},
      slots = SLOTS,
      definition = KIND,
      log: ownLog = log,
    }: { times?: Partial<RunTimes>; slots?: number; definition?: typeof KIND; log?: Log } = {},
  ) => {
    const own = connectDatabase(database.url, log);
    const holder = randomUUID();
    const stopRuns = await dispatchRuns({
      ...own,
      connectionString: database.url,
      clock,
      log: ownLog,
      holder,
      pools: [{ runs: [bindRun(definition, handler, null)], slots }],
      times: { ...TIMES, ...times },
    });
    let stopped: Promise<void> | null = null;
    const stop = () => (stopped ??= stopRuns().then(() => own.close()));
    stops.push(stop);
    return { holder, stop };
  };
  const add = (realmId: string, definition = KIND) => addTestRun(database.db, realmId, definition);
  const readState = async (run: { realmId: string; id: string }) =>
    (await findLatestRun(database.db, { realmId: run.realmId, subject: run.id }, [KIND.kind, HOLD.kind]))
      ?.state;
  /** Lets a second pass, in which all is done that can be, and reads what has become of it. */
  const settled = async <Value>(read: () => Value | Promise<Value>, ms = 1_000): Promise<Value> => {
    await clock.settle(ms);
    return read();
  };
  return { ...database, clock, work, add, readState, settled };
}

/** Ahead of the database's clock, so that its `now()` is past. */
const AHEAD_MS = 2 * MINUTE_MS;

const BEGAN_AT = Date.now() - 1_000;
let requests = 0;

async function addTestRun(tx: Db, realmId: string, definition = KIND) {
  const id: string = randomUUID();
  // Each a moment after the last one, since a lane is ordered by that time.
  requests += 1;
  const requestedAt = new Date(BEGAN_AT + requests);
  await addRun(tx, definition, { realmId, id, subject: id, requestedBy: "user", requestedAt });
  return { realmId, id };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("many workers do each run once, and the runs of one lane one at a time in the order requested", async () => {
  const { work, add, readState, settled } = await openRuns();
  const began: string[] = [];
  const atWork = new Set<string>();
  const overlaps: string[] = [];
  const runs: Added[] = [];
  for (const realmId of ["1", "2", "3"]) for (let n = 0; n < 8; n += 1) runs.push(await add(realmId));
  for (let n = 0; n < 3; n += 1)
    await work(async (_, { run }) => {
      began.push(run.id);
      if (atWork.has(run.realmId)) overlaps.push(run.realmId);
      atWork.add(run.realmId);
      await readState(run);
      atWork.delete(run.realmId);
      return { state: "done" };
    });
  expect(await settled(() => began.length)).toBe(runs.length);
  const ids = new Set(began);
  expect(ids.size).toBe(runs.length);
  expect(overlaps).toEqual([]);
  for (const realmId of ["1", "2", "3"]) {
    const own = runs.filter((run) => run.realmId === realmId).map(({ id }) => id);
    expect(began.filter((id) => own.includes(id))).toEqual(own);
  }
  expect(await settled(async () => Promise.all(runs.map(readState)))).toEqual(runs.map(() => "done"));
});

test("a newly added run is taken at once, without waiting for the next poll", async () => {
  const { work, add, readState, settled } = await openRuns();
  await work(() => Promise.resolve({ state: "done" }), { times: { pollMs: 3_600_000 } });
  const run = await add("1");
  expect(await settled(() => readState(run), 0)).toBe("done");
});

test("a run added in a transaction that is rolled back never runs", async () => {
  const { db, work, add, settled } = await openRuns();
  const ran: string[] = [];
  await work((_, { run }) => {
    ran.push(run.id);
    return Promise.resolve({ state: "done" });
  });
  const rolledBack = db.transaction().execute(async (tx) => {
    await addTestRun(tx, "1");
    throw new Error("Something else failed.");
  });
  await expect(rolledBack).rejects.toThrow("Something else failed.");
  const { id } = await add("1");
  expect(await settled(() => ran)).toEqual([id]);
});

test("a process that lost its lease in the middle of its work can write nothing more, and is asked to stop", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const written: string[] = [];
  const late = Promise.withResolvers<void>();
  const refused: unknown[] = [];
  const stopped: string[] = [];
  const run = await add("1");
  const begin: RunHandler<null> = async (_, { run: held, stop }) => {
    written.push("first began");
    stop.addEventListener("abort", () => stopped.push("first"));
    await late.promise;
    await withFence(db, held, async () => void written.push("first, too late")).catch((error: unknown) =>
      refused.push(error),
    );
    return { state: "done" };
  };
  const first = await work(begin, { times: LOOKING, slots: 1 });
  expect(await settled(() => written)).toEqual(["first began"]);
  // As if the whole machine had slept: its lease ends and another process notices that.
  await db.transaction().execute(async (tx) => {
    await expireLease(tx, first.holder);
    expect(await requeueAbandoned({ db: tx, clock })).toEqual({
      dead: [first.holder],
      queued: 1,
    });
  });
  await work(async (_, { run: held }) => {
    await withFence(db, held, async () => void written.push(`second, after ${held.starts} death`));
    return { state: "done" };
  });
  expect(await settled(() => written)).toEqual(["first began", "second, after 1 death"]);
  expect(await settled(() => readState(run))).toBe("done");
  expect(await settled(() => stopped)).toEqual(["first"]);
  late.resolve();
  expect(await settled(() => refused)).toEqual([expect.any(LeaseLost)]);
  expect(written).toEqual(["first began", "second, after 1 death"]);
});

const expireLease = (db: Db, holder: string) =>
  sql`update run_holder set lease_until = now() - interval '1 s' where id = ${holder}::uuid`.execute(db);

test("a run that is being written under its fence is not given to another process", async () => {
  const { db, add, clock } = await openRuns();
  await add("1");
  const holder = randomUUID();
  await renewHeld({ db, clock }, holder, 60_000);
  const run = await takeRun(db, { holder, kinds: [KIND.kind], now: clock.now() });
  if (!run) throw new Error("The run was not taken.");
  await expireLease(db, holder);
  await withFence(db, run, async () =>
    expect(await requeueAbandoned({ db, clock })).toMatchObject({ queued: 0 }),
  );
  expect(await requeueAbandoned({ db, clock })).toMatchObject({ queued: 1 });
  await expect(withFence(db, run, async () => undefined)).rejects.toThrow(LeaseLost);
});

test("the run of a process killed with -9 is taken over by another once its lease expires", async () => {
  const { url, work, add, readState, settled } = await openRuns();
  const ran: string[] = [];
  const runs = [await add("1", HOLD), await add("1", HOLD)];
  await killHolder(url);
  await work(
    (_, { run }) => {
      ran.push(`${run.id} ${run.starts} ${run.needsReconcile}`);
      return Promise.resolve({ state: "done" });
    },
    { definition: HOLD, times: LOOKING },
  );
  expect(await settled(() => ran)).toEqual([`${runs[0]?.id} 1 taken_over`, `${runs[1]?.id} 0 first`]);
  expect(await settled(async () => Promise.all(runs.map(readState)))).toEqual(["done", "done"]);
});

test("a run whose claim got no answer, as when PostgreSQL is killed, is worked on anyway, and others keep theirs", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const ran: string[] = [];
  const gate = Promise.withResolvers<void>();
  const begin: RunHandler<null> = async (_, { run, stop }) => {
    ran.push(`${run.realmId} ${run.fence} ${run.starts}`);
    if (run.realmId === "1") await gate.promise;
    return stop.aborted ? { state: "queued" } : { state: "done" };
  };
  const first = await work(begin, { times: LOOKING, slots: 1 });
  const runs = [await add("1")];
  expect(await settled(() => ran)).toEqual(["1 1 0"]);
  runs.push(await add("2"), await add("2"));
  // The statement was committed under the name of a process that got no answer.
  const taken = await takeRun(db, { holder: first.holder, kinds: [KIND.kind], now: clock.now() });
  expect(taken?.id).toBe(runs[1]?.id);
  expect(await settled(() => readState(runs[1] as Added))).toBe("queued");
  gate.resolve();
  expect(await settled(async () => Promise.all(runs.map(readState)))).toEqual(["done", "done", "done"]);
  expect(ran).toEqual(["1 1 0", "2 2 0", "2 1 0"]);
});

/** Runs a process that takes a run, and kills it while it works. */
async function killHolder(url: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "fixtures/workers/hold-run.ts")], {
    env: { ...process.env, TEST_DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`The worker process ended with ${code}.`)));
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await gone;
}

test("a short run in a ninth lane starts at once alongside eight long ones, which give way to it", async () => {
  const { work, add, readState, clock, settled } = await openRuns();
  const ran: string[] = [];
  let longEnd = false;
  await work(
    async (_, { run, stop, sliceEnds }) => {
      ran.push(run.realmId);
      if (run.realmId === "short") return { state: "done" };
      while (!stop.aborted && !sliceEnds() && !longEnd) await clock.sleep(TIMES.sliceMs);
      return longEnd ? { state: "done" } : { state: "queued" };
    },
    { slots: 8 },
  );
  const long: Added[] = [];
  for (let n = 0; n < 8; n += 1) long.push(await add(`long-${n}`));
  expect(await settled(() => ran.length)).toBe(8);
  const short = [await add("short"), await add("short")];
  expect(await settled(() => Promise.all(short.map(readState)))).toEqual(["done", "done"]);
  expect(await Promise.all(long.map(readState))).not.toContain("done");
  longEnd = true;
  expect(await settled(() => Promise.all(long.map(readState)))).toEqual(long.map(() => "done"));
});

test("a run keeps its slot while no other run waits for it", async () => {
  const { work, add, readState, clock, settled } = await openRuns();
  let starts = 0;
  const run = await add("1");
  await work(async (_, { sliceEnds }) => {
    starts += 1;
    for (let slices = 0; slices < 10 && !sliceEnds(); slices += 1) await clock.sleep(TIMES.sliceMs);
    return sliceEnds() ? { state: "queued" } : { state: "done" };
  });
  expect(await settled(() => readState(run))).toBe("done");
  expect(starts).toBe(1);
});

test("a lane with many runs gets no more turns than a lane with one", async () => {
  const { work, add, settled } = await openRuns();
  const ran: string[] = [];
  for (let n = 0; n < 4; n += 1) await add("many");
  for (const realmId of ["one", "two"]) await add(realmId);
  await work(
    (_, { run }) => {
      ran.push(run.realmId);
      return Promise.resolve({ state: "done" });
    },
    { slots: 1 },
  );
  expect(await settled(() => ran)).toEqual(["many", "one", "two", "many", "many", "many"]);
});

test("a stopping process lets its runs finish their step and hands them to others at once", async () => {
  const { work, add, readState, settled } = await openRuns();
  const said: string[] = [];
  const run = await add("1");
  const waiting = await add("1");
  const first = await work(async (_, { stop }) => {
    said.push("began");
    await untilAborted(stop);
    said.push("finished its step");
    return { state: "queued" };
  });
  expect(await settled(() => said)).toEqual(["began"]);
  await first.stop();
  expect(said).toEqual(["began", "finished its step"]);
  expect(await Promise.all([run, waiting].map(readState))).toEqual(["queued", "queued"]);
  await work((_, { run: { id, starts } }) => {
    said.push(`${id} ${starts}`);
    return Promise.resolve({ state: "done" });
  });
  expect(await settled(() => said.slice(2))).toEqual([`${run.id} 0`, `${waiting.id} 0`]);
});

test("a waiting run resumes when it is woken for its cause or when it is due, and not before", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const cause: Cause = { code: "behind", params: { run: "a" } };
  const seen: [string, Cause | null][] = [];
  const woken = await add("1");
  const due = await add("2");
  await work((_, { run }) => {
    seen.push([run.realmId, run.waitedFor]);
    if (seen.filter(([realmId]) => realmId === run.realmId).length > 1)
      return Promise.resolve({ state: "done" });
    const dueAt = run.realmId === "2" ? new Date(clock.now().getTime() + 500) : null;
    return Promise.resolve({ state: "waiting", cause, dueAt });
  });
  expect(await settled(() => readState(due))).toBe("done");
  expect(await readState(woken)).toBe("waiting");
  const now = clock.now();
  const wake = (code: string, run: string) =>
    db.transaction().execute((tx) => wakeRuns(tx, "1", { causes: [{ code, params: { run } }], now }));
  expect(await wake("other", "a")).toEqual([]);
  expect(await wake("behind", "b")).toEqual([]);
  expect(await wake("behind", "a")).toEqual([woken.id]);
  expect(await settled(() => readState(woken))).toBe("done");
  expect(seen).toEqual([
    ["1", null],
    ["2", null],
    ["2", cause],
    ["1", null],
  ]);
});

test("a woken run starts before a later one of its lane that an earlier search found", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const cause: Cause = { code: "behind" };
  const began: string[] = [];
  const held = Promise.withResolvers<undefined>();
  const older = await add("1");
  await work(
    async (_, { run }) => {
      began.push(run.id);
      if (began.length === 1) return { state: "waiting", cause, dueAt: null };
      if (run.realmId === "2") await held.promise;
      return { state: "done" };
    },
    { slots: 1, times: { sliceMs: 3_600_000, pollMs: 3_600_000 } },
  );
  expect(await settled(() => readState(older))).toBe("waiting");
  const [other, later] = await db
    .transaction()
    .execute(async (tx) => [await addTestRun(tx, "2"), await addTestRun(tx, "1")]);
  expect(await settled(() => began)).toEqual([older.id, other?.id]);
  await wakeRuns(db, "1", { causes: [cause], now: clock.now() });
  await settled(() => undefined);
  held.resolve(undefined);
  expect(await settled(() => began.slice(2))).toEqual([older.id, later?.id]);
});

test("runs added by a clock that was an hour ahead start at once when the clock is corrected", async () => {
  const { db, work, add, readState, settled } = await openRuns();
  const runs = [await add("1"), await add("1"), await add("2")];
  await sql`update run set due_at = now() + interval '1 h', requested_at = requested_at + interval '1 h'`.execute(
    db,
  );
  runs.push(await add("1"));
  await work(() => Promise.resolve({ state: "done" }));
  for (const run of runs) expect(await settled(() => readState(run))).toBe("done");
});

test("a failed run is retried later, and the result of the failed attempt is never written", async () => {
  const { db, work, add, readState, settled } = await openRuns();
  const failures: number[] = [];
  const run = await add("1");
  await work(async (_, { run: { failures: before } }) => {
    failures.push(before);
    if (before === 0) throw new Error("not today");
    return async (tx, save) => {
      if (before === 2) return save({ state: "done" });
      await addTestRun(tx, "never");
      throw new Error("not in the end either");
    };
  });
  const hurry = () => sql`update run set due_at = now() where state = 'waiting'`.execute(db);
  for (const before of [0, 1]) {
    expect(await settled(() => failures.at(-1))).toBe(before);
    await hurry();
  }
  expect(await settled(() => failures)).toEqual([0, 1, 2]);
  expect(await settled(() => readState(run))).toBe("done");
  const { rows } = await sql`select from run where realm_id = 'never'`.execute(db);
  expect(rows).toEqual([]);
});

test("a run whose ending keeps failing waits, and never stops without its ending", async () => {
  const { db, work, add, settled } = await openRuns();
  const run = await add("1");
  await sql`update run set failures = 20`.execute(db);
  await work(() => Promise.resolve(() => Promise.reject(new Error("never"))));
  const latest = () => findLatestRun(db, { realmId: "1", subject: run.id }, [KIND.kind]);
  expect(await settled(latest)).toMatchObject({ state: "waiting", cause: { code: "failed_once" } });
});

test("two handlers cannot share a kind", async () => {
  const { clock, ...database } = await openRuns();
  const bound = bindRun(KIND, () => Promise.resolve({ state: "done" }), null);
  const dispatched = dispatchRuns({
    ...database,
    connectionString: database.url,
    clock,
    log,
    holder: randomUUID(),
    pools: [
      { runs: [bound], slots: 1 },
      { runs: [bound], slots: 1 },
    ],
    times: TIMES,
  });
  await expect(dispatched).rejects.toThrow("Two handlers share one kind of run.");
});

test("runs of a full pool keep no other pool's runs waiting, and all pools share one lease", async () => {
  const { db, url, add, readState, clock, settled } = await openRuns();
  const own = connectDatabase(url, log);
  const taken: string[] = [];
  const hold: RunHandler<null> = async (_, { run, stop }) => {
    taken.push(run.realmId);
    await untilAborted(stop);
    return { state: "queued" };
  };
  const stop = await dispatchRuns({
    ...own,
    connectionString: url,
    clock,
    log,
    holder: randomUUID(),
    pools: [
      { runs: [bindRun(KIND, hold, null)], slots: 2 },
      { runs: [bindRun(HOLD, () => Promise.resolve({ state: "done" }), null)], slots: 1 },
    ],
    times: { ...TIMES, sliceMs: 3_600_000 },
  });
  onTestFinished(async () => {
    await stop();
    await own.close();
  });
  const held = [await add("1"), await add("2"), await add("3")];
  expect(await settled(() => taken)).toHaveLength(2);
  const others = [await add("4", HOLD), await add("5", HOLD)];
  expect(await settled(() => Promise.all(others.map(readState)))).toEqual(["done", "done"]);
  const states = await Promise.all(held.map(readState));
  expect(states.filter((state) => state === "working")).toHaveLength(2);
  const { rows } = await sql`select id from run_holder`.execute(db);
  expect(rows).toHaveLength(1);
});

const PERIODIC = defineRun({ kind: "test.periodic", lane: () => "test:periodic", every: "minute" });

test("a periodic run is added once for all workers, waits for its time, and waits again when it is done", async () => {
  const { db, work, settled } = await openRuns();
  let ran = 0;
  const count = () => {
    ran += 1;
    return Promise.resolve<Ending>({ state: "done" });
  };
  await Promise.all([1, 2, 3].map(() => work(count, { definition: PERIODIC })));
  const rows = async () =>
    (
      await sql`select realm_id, state, cause, failures, due_at > now() + interval '50 s' as later from run`.execute(
        db,
      )
    ).rows;
  const scheduled = {
    realm_id: "",
    state: "waiting",
    cause: { code: "scheduled" },
    failures: 0,
    later: true,
  };
  expect(await rows()).toEqual([scheduled]);
  for (const times of [1, 2]) {
    await sql`update run set due_at = now() where state = 'waiting'`.execute(db);
    expect(await settled(() => ran)).toBe(times);
    expect(await settled(rows)).toEqual([scheduled]);
  }
});

test("a periodic run that was scheduled by a clock years ahead is due at its next time after a start", async () => {
  const { db, work, clock } = await openRuns();
  const stopped = await work(() => Promise.resolve<Ending>({ state: "done" }), { definition: PERIODIC });
  await stopped.stop();
  await sql`update run set due_at = now() + interval '10 years'`.execute(db);
  await work(() => Promise.resolve<Ending>({ state: "done" }), { definition: PERIODIC });
  const { rows } = await sql`select state, due_at <= ${clock.now()}::timestamptz + interval '1 minute' as soon
    from run`.execute(db);
  expect(rows).toEqual([{ state: "waiting", soon: true }]);
});

test("a failed periodic run is retried before its next time, and never after it", async () => {
  const { db, work, clock, settled } = await openRuns();
  await work(() => Promise.reject(new Error("not today")), { definition: PERIODIC });
  const retriedAfter = async (failures: number) => {
    await sql`update run set failures = ${failures}, due_at = now() where state = 'waiting'`.execute(db);
    const rows = async () =>
      (
        await sql<{
          failures: number;
          s: number;
        }>`select failures, extract(epoch from due_at - ${clock.now()}::timestamptz)::int as s
          from run where state = 'waiting'`.execute(db)
      ).rows;
    expect(await settled(async () => (await rows())[0]?.failures)).toBe(failures + 1);
    return (await rows())[0]?.s ?? 0;
  };
  expect(await retriedAfter(0)).toBeLessThanOrEqual(3);
  const late = await retriedAfter(7);
  expect([late > 30, late <= 60]).toEqual([true, true]);
});

test("a daily run is due at its hour, today if that is still to come", () => {
  const daily = { every: "day", at: "03:17" } as const;
  expect(nextTime(daily, new Date("2026-11-25T02:00:00Z"))).toEqual(new Date("2026-11-25T03:17:00Z"));
  expect(nextTime(daily, new Date("2026-11-25T03:17:00Z"))).toEqual(new Date("2026-11-26T03:17:00Z"));
});

test("a system run requested while it is worked on runs once more, and one that waits runs at once", async () => {
  const { db, work, clock, settled } = await openRuns();
  const ONE = defineRun({ kind: "test.one", lane: () => "test:one" });
  const ask = () => requestRun(db, ONE, clock.now());
  const gates = [Promise.withResolvers<Ending>(), Promise.withResolvers<Ending>()];
  let starts = 0;
  await ask();
  await ask();
  await work(
    () => {
      starts += 1;
      return gates[starts - 1]?.promise ?? Promise.resolve({ state: "done" });
    },
    { definition: ONE },
  );
  expect(await settled(() => starts)).toBe(1);
  await Promise.all([ask(), ask(), ask()]);
  gates[0]?.resolve({ state: "done" });
  expect(await settled(() => starts)).toBe(2);
  gates[1]?.resolve({ state: "waiting", cause: { code: "any" }, dueAt: null });
  const states = async () =>
    (await sql<{ state: string }>`select state from run`.execute(db)).rows.map(({ state }) => state);
  expect(await settled(states)).toEqual(["waiting"]);
  await ask();
  expect(await settled(() => starts)).toBe(3);
  expect(await settled(states)).toEqual(["done"]);
});

test("OP-11 a run that saves nothing within its limit is aborted and waits with a cause; its lane continues even if the handler never returns, and late writes are refused", async () => {
  const { db, work, add, readState, settled } = await openRuns();
  const HANGS = defineRun({ ...KIND, limitMs: 300 });
  const lines: Record<string, unknown>[] = [];
  const hung = await add("1");
  const next = await add("1");
  const late = Promise.withResolvers<void>();
  const refused: unknown[] = [];
  const aborted: unknown[] = [];
  await work(
    async (_, { run, stop }) => {
      if (run.id !== hung.id) return { state: "done" };
      stop.addEventListener("abort", () => aborted.push((stop.reason as Error).name));
      await late.promise;
      await withFence(db, run, () => Promise.resolve()).catch((error: unknown) => refused.push(error));
      return { state: "done" };
    },
    {
      definition: HANGS,
      slots: 1,
      log: createLog("warn", {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      }),
    },
  );
  expect(await settled(() => readState(next))).toBe("done");
  const row = await findLatestRun(db, { realmId: "1", subject: hung.id }, [KIND.kind]);
  expect(row).toMatchObject({
    state: "waiting",
    cause: { code: "failed_once", params: { failure: "overdue" } },
  });
  expect(aborted).toEqual(["RunOverdue"]);
  expect(lines[0]).toMatchObject({ run: hung.id, kind: KIND.kind, failures: 1, msg: "A run was aborted" });
  expect(JSON.stringify(lines[0])).toContain("saved nothing for 300 ms");
  const { failures } = (await findRunLog(db, hung)) ?? {};
  expect(failures).toMatchObject([
    { failures: 1, cause: "overdue", stack: expect.stringContaining("RunOverdue") },
  ]);
  late.resolve();
  expect(await settled(() => refused)).toEqual([expect.any(LeaseLost)]);
  expect(await readState(hung)).toBe("waiting");
});

test("a run that saves progress now and then is not aborted, however long it takes", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const SLOW = defineRun({ ...KIND, limitMs: 400 });
  const run = await add("1");
  await work(
    async (_, { run: held, stop }) => {
      for (let steps = 0; steps < 12 && !stop.aborted; steps += 1) {
        await clock.sleep(100);
        if (steps % 2 === 0) await withFence(db, held, () => Promise.resolve());
        else held.noteProgress?.();
      }
      return stop.aborted ? { state: "stopped", cause: { code: "aborted" } } : { state: "done" };
    },
    { definition: SLOW },
  );
  expect(await settled(() => readState(run), 2_000)).toBe("done");
});

test("OP-10 a canceled run stops after its step, starts again, and ends by its own handler, in whatever state it was", async () => {
  const { db, work, add, readState, clock, settled } = await openRuns();
  const [working, waiting, queued] = [await add("1"), await add("2"), await add("1")];
  const ends: unknown[] = [];
  const seen: unknown[] = [];
  await work(
    async (_, { run, stop }) => {
      seen.push([run.id, run.canceledBy]);
      if (run.canceledBy) {
        ends.push(run.id);
        return { state: "stopped", cause: { code: "canceled", params: { by: run.canceledBy } } };
      }
      if (run.id === waiting.id) return { state: "waiting", cause: { code: "reconnect" }, dueAt: null };
      await untilAborted(stop);
      return { state: "queued" };
    },
    { times: LOOKING },
  );
  expect(await settled(() => readState(waiting))).toBe("waiting");
  expect(await settled(() => readState(working))).toBe("working");
  const cancel = (run: Added, kinds = [KIND.kind]) =>
    cancelRuns(db, { ...run, kinds }, { by: "olive@acme.example", now: clock.now() });
  expect(await cancel(working, [HOLD.kind])).toEqual([]);
  for (const run of [queued, waiting, working])
    expect(await cancel(run)).toEqual([{ id: run.id, kind: KIND.kind }]);
  expect(await settled(async () => Promise.all([working, waiting, queued].map(readState)))).toEqual([
    "stopped",
    "stopped",
    "stopped",
  ]);
  expect(seen).toContainEqual([working.id, null]);
  expect(new Set(ends)).toEqual(new Set([working.id, waiting.id, queued.id]));
  expect(await cancel(working)).toEqual([]);
});

test("OP-10 a cancellation that comes while a run decides to wait is not lost", async () => {
  const { work, add, readState, clock, settled } = await openRuns();
  const run = await add("1");
  await work(async (_, { run: { canceledBy } }) => {
    if (canceledBy) return { state: "stopped", cause: { code: "canceled" } };
    return async (tx, save) => {
      await cancelRuns(tx, { ...run, kinds: [KIND.kind] }, { by: "olive@acme.example", now: clock.now() });
      await save({ state: "waiting", cause: { code: "reconnect" }, dueAt: null });
    };
  });
  expect(await settled(() => readState(run))).toBe("stopped");
});

test("a run carries the program that added it, and a worker of an older release leaves its newer kind alone", async () => {
  const { db, url, work, add, readState, settled } = await openRuns();
  const newer = connectDatabase(url, log, { ...WORK_LIMITS, program: "dockside 2" });
  onTestFinished(() => newer.close());
  const [known, unknown] = [await add("1"), await addTestRun(newer.db, "1", HOLD)];
  await work(async () => ({ state: "done" }), { times: { pollMs: 20 } });
  expect(await settled(() => readState(known))).toBe("done");
  expect(await readState(unknown)).toBe("queued");
  expect(await findRunLog(db, unknown)).toMatchObject({ addedBy: "dockside 2", failures: [] });
  await work(async () => ({ state: "done" }), { definition: HOLD });
  expect(await settled(() => readState(unknown))).toBe("done");
});

test("failures of a run are recorded without the secrets that they quote", async () => {
  const { db, work, add, settled } = await openRuns();
  const run = await add("1");
  await work(async () => {
    throw new Error("POST https://vendor.example/?code=abc123 was refused");
  });
  expect(await settled(async () => (await findRunLog(db, run))?.failures.length)).toBeGreaterThan(0);
  const { failures = [] } = (await findRunLog(db, run)) ?? {};
  expect(failures[0]?.message).toBe("POST https://vendor.example/?code=[secret] was refused");
  expect(JSON.stringify(failures)).not.toContain("abc123");
});
