import { sql } from "kysely";
import { expect, test } from "vitest";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { fastClock } from "../support/fast-clock.ts";
import { startBooks } from "./support/run-books.ts";

type Books = Awaited<ReturnType<typeof startBooks>>;
type Job = { id: string; key: string; run_at: Date };

const jobsOf = async ({ db }: Books, key: string) =>
  (await sql<Job>`select id, key, run_at from graphile_worker.jobs where key like ${`${key}%`}`.execute(db))
    .rows;

const stateOf = async ({ db }: Books, uploadId: string) =>
  (await sql<{ state: string }>`select state from upload where id = ${uploadId}::uuid`.execute(db)).rows[0]
    ?.state;

/** An upload that is posted, and whose undo waits: it has a job, for later. */
async function withUndoAhead(books: Books): Promise<void> {
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.run();
  const { id } = await books.newest();
  const undo = { params: { upload_id: id }, json: { action: "delete" as const } };
  expect((await books.browser.call(startUndo, { query: books.query, ...undo })).status).toBe(202);
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`.execute(books.db);
  await sql`update upload_undo set state = 'paused', reason = 'Waiting.'`.execute(books.db);
}

test("an upload whose next start was lost with a job freed meanwhile gets a job again within seconds", async () => {
  const books = await startBooks(BAY, { worker: false, clock: fastClock(1) });
  await withUndoAhead(books);
  await books.faults([{ fault: "latency", ms: 2_000, match: { operation: "query" }, count: 1 }]);
  await books.upload(invoiceRows(3, { prefix: "" }));
  const { id } = await books.newest();
  await books.work();
  const slow = async () => (await books.intuit.control<{ rules: { fired: number }[] }>("faults")).rules[0];
  await expect.poll(async () => (await slow())?.fired).toBe(1);
  const [first] = await jobsOf(books, "post-upload");
  // As another process does with the jobs of one that is silent; nobody has a free place to take it just now.
  await sql`update graphile_worker._private_job_queues set locked_by = null, locked_at = null`.execute(
    books.db,
  );
  await sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null,
    run_at = now() + interval '20 s' where key like 'post-upload%'`.execute(books.db);
  await expect.poll(() => stateOf(books, id)).toBe("paused");
  const isGone = async () => (await jobsOf(books, "post-upload")).every((job) => job.id !== first?.id);
  await expect.poll(isGone).toBe(true);
  await expect.poll(() => jobsOf(books, "post-upload")).toHaveLength(1);
  const hurried = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
      books.db,
    );
    return stateOf(books, id);
  };
  await expect.poll(hurried, { interval: 500 }).toBe("finished");
  expect((await books.settled())?.counts).toMatchObject({ completed: 3, open: 0 });
  expect(await books.made()).toHaveLength(3);
});

test.each(["lost", "failed for good"])(
  "an upload or an undo whose job is %s goes on when a worker starts",
  async (how) => {
    const books = await startBooks(BAY, { worker: false });
    await withUndoAhead(books);
    await books.upload(invoiceRows(1, { prefix: "", firstCents: 5_000 }));
    if (how === "lost") await sql`delete from graphile_worker._private_jobs`.execute(books.db);
    else await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(books.db);
    await books.work();
    expect((await books.settled())?.counts).toMatchObject({ completed: 1, open: 0 });
    await expect.poll(() => jobsOf(books, "undo-upload")).toEqual([]);
    expect(await books.made()).toHaveLength(1);
  },
);

test("what waits for its company to be connected again, or has its job, is given no other", async () => {
  const books = await startBooks(ACME, { worker: false });
  const { resumeLost } = books.application;
  await books.faults([{ fault: "revoked", match: { operation: "batch" }, once: true }]);
  await books.upload(invoiceRows(2, { prefix: "C" }));
  await books.run();
  expect(await stateOf(books, (await books.newest()).id)).toBe("paused");
  await resumeLost();
  expect(await jobsOf(books, "")).toEqual([]);
  await books.connect();
  const [waiting] = await jobsOf(books, "post-upload");
  await resumeLost();
  expect(await jobsOf(books, "post-upload")).toEqual([waiting]);
});
