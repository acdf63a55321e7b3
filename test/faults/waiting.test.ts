import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { postUploadJob } from "#features/invoices/jobs.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { undoUploadJob } from "#features/invoices/undo/jobs.ts";
import { newest, openDesk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { fastClock, swiftClock } from "../support/fast-clock.ts";
import { ACME, BAY, type JournalEntry, liftLimits } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceLine, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";

const query = { realm_id: ACME };
const run = (attempt: number) => ({
  attempt,
  isLastAttempt: attempt === 8,
  stop: new AbortController().signal,
});

test.each([
  { what: "while it checks", operation: "query" },
  { what: "while it posts", operation: "batch" },
])(
  "an outage of QuickBooks $what lets an upload wait, however long it lasts, and it goes on by itself",
  async ({ operation }) => {
    const app = await startApp({ clock: swiftClock(), worker: false });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await uploadRows(browser, ACME, invoiceRows(20, { prefix: "W" }));
    const newest = async () => {
      const list = (await browser.call(listUploads, { query })).json() as UploadList;
      return list.uploads[0];
    };
    const payload = { realmId: ACME, uploadId: (await newest())?.id ?? "" };
    await app.intuit.control("faults", [{ fault: "500", match: { operation } }]);
    const start = (attempt: number) => postUploadJob.run(app.application.invoices, payload, run(attempt));
    await expect(start(1)).rejects.toThrow();
    await start(3);
    const waiting = await newest();
    expect(waiting?.counts).toMatchObject({ completed: 0, problems: 0, open: 20 });
    expect(waiting?.results).toEqual([
      {
        status: 100,
        rows: "2-21",
        message: "Waiting: QuickBooks does not answer. Nothing is lost; the upload goes on by itself.",
      },
    ]);
    for (let time = 0; time < (operation === "query" ? 25 : 1); time += 1) await start(1);
    const later =
      await sql`select from graphile_worker.jobs where run_at > now() + interval '4 minutes'`.execute(app.db);
    expect(later.rows).toHaveLength(1);
    await app.intuit.control("faults", undefined, "DELETE");
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db);
    await app.work();
    await expect.poll(async () => (await newest())?.counts.completed).toBe(20);
  },
);

test.each([
  { told: "nothing", retryAfter: undefined, waits: 60 },
  { told: "seconds", retryAfter: { seconds: 90 }, waits: 90 },
  { told: "a date", retryAfter: { seconds: 90, as: "date" }, waits: 90 },
])(
  "throttled by QuickBooks, which tells $told, the company's calls rest that long and every invoice is posted once",
  async ({ retryAfter, waits }) => {
    const speed = 60;
    const app = await startApp({ clock: fastClock(speed) });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await app.intuit.control("faults", [
      { fault: "429", code: "003001", match: { operation: "batch" }, count: 1, retryAfter },
    ]);
    const before = (await app.intuit.invoices(ACME)).length;
    await app.intuit.control("journal", undefined, "DELETE");
    await uploadRows(browser, ACME, invoiceRows(20, { prefix: "TH" }));
    const [upload] = (await settledUploads(browser, ACME)).uploads;
    expect(upload?.counts).toEqual({ total: 20, completed: 20, problems: 0, open: 0 });
    expect(await app.intuit.invoices(ACME)).toHaveLength(before + 20);
    const { entries } = await app.intuit.control<{ entries: JournalEntry[] }>("journal?operation=batch");
    expect(entries.map(({ status }) => status)).toEqual([429, 200]);
    const [first = 0, second = 0] = entries.map(({ time }) => Date.parse(String(time)));
    // A date tells whole seconds only.
    expect((second - first) * speed).toBeGreaterThanOrEqual((waits - 1) * 1_000);
  },
);

test.each([
  { what: "before it touched any", away: ["query"], action: "delete" },
  { what: "while they are deleted", away: ["batch", "invoice.delete"], action: "delete" },
  { what: "while they are voided", away: ["batch", "invoice.void"], action: "void" },
] as const)(
  "an outage of QuickBooks $what lets an undo wait, however long it lasts, and it goes on by itself",
  async ({ away, action }) => {
    const desk = await openDesk(60, { worker: false, clock: swiftClock() });
    const { app } = desk;
    const stop = await app.work();
    const upload = await desk.upload();
    await stop();
    const { run: asked } = (await desk.ask(upload.id, action)).json() as { run: { id: string } };
    const payload = { realmId: ACME, undoId: asked.id };
    const leave = (operations: readonly string[]) => {
      const rules = operations.map((operation) => ({ fault: "500", match: { operation } }));
      return app.intuit.control("faults", rules);
    };
    await leave(away);
    const start = (attempt: number) => undoUploadJob.run(app.application.invoices, payload, run(attempt));
    await expect(start(1)).rejects.toThrow();
    await start(3);
    const untouched = !away.some((operation) => operation === "batch");
    const sentence = "Waiting: QuickBooks does not answer. Nothing is lost; the undo goes on by itself.";
    expect((await desk.preview(upload.id)).run).toMatchObject({ state: "paused", sentence });
    const counts = (await newest(desk))?.counts;
    expect(counts).toEqual({
      total: 60,
      completed: untouched ? 60 : 0,
      problems: 0,
      open: untouched ? 0 : 60,
    });
    const told = untouched ? `60 invoices created. Not undone yet. ${sentence}` : sentence;
    expect((await newest(desk))?.results).toEqual([
      { status: untouched ? 0 : 100, rows: "2-61", message: told },
    ]);
    await leave(["query", ...away]);
    for (let time = 0; time < 4; time += 1) await start(1);
    expect((await desk.preview(upload.id)).run).toMatchObject({ state: "paused", skipped: { invoices: 0 } });
    const later =
      await sql`select from graphile_worker.jobs where run_at > now() + interval '4 minutes'`.execute(app.db);
    expect(later.rows).toHaveLength(1);
    await app.intuit.control("faults", undefined, "DELETE");
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db);
    await app.work();
    const state = async () => (await desk.preview(upload.id)).run?.state;
    await expect.poll(state).toBe("finished");
    expect((await desk.preview(upload.id)).run).toMatchObject({
      undone: { invoices: 60 },
      skipped: { invoices: 0 },
    });
    const made = await desk.made();
    expect(made.map(({ TotalAmt }) => TotalAmt)).toEqual(action === "void" ? made.map(() => 0) : []);
  },
);

test("an authorisation that Intuit no longer takes, also renewed, lets an upload wait for a person from its check on", async () => {
  const app = await startApp({ clock: fastClock(30) });
  const browser = await app.owner(ACME);
  await app.intuit.control("faults", [{ fault: "expired_token", match: { operation: "query" } }]);
  await uploadRows(browser, ACME, invoiceRows(2, { prefix: "AU" }));
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results[0]?.message).toContain("must be connected to QuickBooks again");
});

test("an undo and the same file again, both waiting for the company to be connected, end with the file in the books", async () => {
  const desk = await openDesk(30);
  const upload = await desk.upload();
  const posted = await desk.made();
  await desk.app.intuit.control("faults", [{ fault: "revoked", match: { operation: "batch" }, count: 1 }]);
  expect(await desk.undo(upload.id)).toMatchObject({ state: "paused" });
  const again = await desk.upload();
  expect(again.results[0]?.message).toBe(
    "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload goes on by itself.",
  );
  await desk.browser.connect("owner@acme.example", desk.realmId);
  const list = await settledUploads(desk.browser, desk.realmId);
  expect(list.uploads.map(({ counts }) => [counts.completed, counts.undone])).toEqual([
    [30, undefined],
    [0, 30],
  ]);
  const old = new Set(posted.map(({ Id }) => Id));
  expect((await desk.made()).filter(({ Id }) => !old.has(Id))).toHaveLength(30);
});

test("the same file again waits for an undo that was asked for after it", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const bytes = await invoiceWorkbook(invoiceRows(5, { prefix: "WU" }));
  const post = async () => {
    const reply = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes } });
    return (reply.json() as { id: string }).id;
  };
  const first = await post();
  const stop = await app.work();
  await settledUploads(browser, ACME);
  await stop();
  await post();
  const params = { upload_id: first };
  expect((await browser.call(startUndo, { query, params, json: { action: "delete" } })).status).toBe(202);
  await app.work();
  const list = await settledUploads(browser, ACME);
  expect(list.uploads.map(({ results }) => results[0]?.message)).toEqual([
    "5 invoices created.",
    expect.stringMatching(/^Undone: 5 invoices were deleted/),
  ]);
});

const minuteAfter = (date: Date) => new Date(date.getTime() + 60_000);

test("the same file again behind an undo that waits for QuickBooks looks again every minute, says why, and goes on by itself", async () => {
  const desk = await openDesk(5, { worker: false, clock: swiftClock() });
  const { app, browser } = desk;
  const stop = await app.work();
  const first = await desk.upload();
  await stop();
  const { run: undo } = (await desk.ask(first.id)).json() as { run: { id: string } };
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "query" } }]);
  const startUndoing = (attempt: number) =>
    undoUploadJob.run(app.application.invoices, { realmId: ACME, undoId: undo.id }, run(attempt));
  await expect(startUndoing(1)).rejects.toThrow();
  await startUndoing(3);
  const bytes = await invoiceWorkbook(invoiceRows(5, { prefix: "U" }));
  const reply = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes } });
  const { id: uploadId } = reply.json() as { id: string };
  const { clock } = app.application.ctx;
  const began = clock.now();
  await postUploadJob.run(app.application.invoices, { realmId: ACME, uploadId }, run(1));
  expect((await newest(desk))?.results).toEqual([
    {
      status: 100,
      rows: "2-6",
      message:
        "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload goes on by itself.",
    },
  ]);
  const { rows } = await sql<{ at: Date }>`select run_at as at from graphile_worker.jobs
    where key = ${`post-upload:${uploadId}`}`.execute(app.db);
  expect(rows.map(({ at }) => at >= minuteAfter(began) && at <= minuteAfter(clock.now()))).toEqual([true]);
  await app.intuit.control("faults", undefined, "DELETE");
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db);
  await app.work();
  await expect
    .poll(
      async () => {
        // Whoever looked a moment too early looks again.
        await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
          app.db,
        );
        return (await newest(desk))?.results[0]?.message;
      },
      { interval: 200 },
    )
    .toBe("5 invoices created.");
  expect(await desk.made()).toHaveLength(5);
});

for (const [kind, isGone] of [
  ["equal invoices", false],
  ["equal invoices that somebody deleted in QuickBooks meanwhile", true],
] as const)
  test(`an upload that waits for the undo of ${kind} asks QuickBooks nothing until that has ended`, async () => {
    const desk = await openDesk(1, { realmId: BAY, email: "platform@dockside.example", worker: false });
    const { app, browser } = desk;
    await uploadRows(browser, BAY, [invoiceLine("")]);
    const stop = await app.work();
    await settledUploads(browser, BAY);
    await stop();
    const first = (await newest(desk))?.id ?? "";
    await uploadRows(browser, BAY, [invoiceLine(""), invoiceLine("", { "Invoice Date": "2026-11-09" })]);
    const payload = { realmId: BAY, uploadId: (await newest(desk))?.id ?? "" };
    expect((await desk.ask(first)).status).toBe(202);
    if (isGone)
      for (const { Id } of await desk.made())
        await app.intuit.control(`books/${BAY}/invoice/${Id}/delete`, {});
    const wake = () => postUploadJob.run(app.application.invoices, payload, run(1));
    const calls = async () => {
      const journal = await app.intuit.control<{ entries: JournalEntry[] }>("journal?limit=5000");
      return journal.entries.length;
    };
    await wake();
    const before = await calls();
    for (let time = 0; time < 5; time += 1) await wake();
    expect(await calls()).toBe(before);
    expect((await newest(desk))?.results[0]?.message).toContain(
      "an earlier upload of these invoices is being undone",
    );
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db);
    await app.work();
    await expect.poll(async () => (await newest(desk))?.results[0]?.message).toBe("2 invoices created.");
    expect(await desk.made()).toHaveLength(2);
  });
