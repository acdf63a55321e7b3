import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { bindJob } from "#platform/jobs/define-job.ts";
import { migrateJobs, runJobs } from "#platform/jobs/run-jobs.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

const log = createLog("silent");

async function openQueue() {
  const database = await createTestDatabase();
  await migrateJobs(database.pool);
  onTestFinished(() => database.drop());
  return database;
}

const count = (ran: unknown[], cron: string | null = null) =>
  bindJob(
    { kind: "test.count", payload: z.object({}), cron },
    async (_: null, payload) => void ran.push(payload),
    null,
  );

test("a job with a schedule is added by itself when its time comes", { timeout: 120_000 }, async () => {
  const { pool, db } = await openQueue();
  const ran: unknown[] = [];
  const stop = await runJobs({ pool, db, log, jobs: [count(ran, "* * * * *")] });
  await expect.poll(() => ran, { timeout: 90_000 }).toEqual([{}]);
  await stop();
});

test("a job of a kind that is known runs once, with the payload its kind says", async () => {
  const { pool, db } = await openQueue();
  const ran: unknown[] = [];
  await sql`select graphile_worker.add_job('test.count', '{"more": 1}')`.execute(db);
  const stop = await runJobs({ pool, db, log, jobs: [count(ran)] });
  await expect.poll(() => ran).toEqual([{}]);
  await stop();
  expect((await sql`select from graphile_worker.jobs`.execute(db)).rows).toEqual([]);
});

test("two jobs cannot share one kind", async () => {
  const { pool, db } = await openQueue();
  await expect(runJobs({ pool, db, log, jobs: [count([]), count([])] })).rejects.toThrow(
    "Two jobs share one kind.",
  );
});
