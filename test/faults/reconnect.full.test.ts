import { sql } from "kysely";
import { expect, test } from "vitest";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { raiseListVersion } from "#features/invoices/ledger/store.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { ACME, holdCalls, liftLimits } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { type InvoiceRow, invoiceRows } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { untilEnded, untilFinished } from "./support/uploads.ts";

test("a company reconnected at the moment of a refusal stays connected, and its upload continues", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  // The authorization is revoked as the call arrives; the worker notices when it renews its token.
  await app.intuit.control("faults", [{ fault: "revoked", match: { operation: "batch" }, count: 1 }]);
  const hold = await holdCalls(app.intuit, { operation: "oauth.refresh_token" });
  await uploadRows(browser, ACME, invoiceRows(20, { prefix: "RR" }));
  await hold.hit();
  const { rows } = await sql<{ id: string }>`select id from upload`.execute(app.db);
  await app.db.transaction().execute(async (tx) => {
    // The worker is held before it writes that the upload waits, until the company is connected again.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`summary ${ACME} ${rows[0]?.id}`}, 0))`.execute(
      tx,
    );
    await hold.release();
    await app.settle(0);
    expect(await countRefused(app, "oauth.refresh_token")).toBe(1);
    await browser.connect("owner@acme.example", ACME);
  });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 20, problems: 0, open: 0 });
  const companies = await browser.request("/api/v1/company");
  expect(companies.json()).toMatchObject({ companies: [{ id: ACME, connection: "connected" }] });
});

test("reconnecting a company waits for a worker that is updating one of its waiting uploads, and both succeed", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const stop = await app.work();
  await uploadRows(browser, ACME, invoiceRows(1, { prefix: "RD" }));
  const [done] = (await settledUploads(browser, ACME)).uploads;
  await stop();
  const undo = { params: { upload_id: done?.id ?? "" }, json: { action: "delete" as const } };
  expect((await browser.call(startUndo, { query: { realm_id: ACME }, ...undo })).status).toBe(202);
  await uploadRows(browser, ACME, invoiceRows(1, { prefix: "RE" }));
  const open = sql`realm_id <> '' and state in ('queued', 'waiting')`;
  await sql`update run set state = 'waiting', cause = '{"code": "reconnect"}', due_at = null where ${open}`.execute(
    app.db,
  );
  const connected = await app.db.transaction().execute(async (tx) => {
    await sql`update upload set summary = summary`.execute(tx);
    await sql`update run set due_at = due_at where ${open}`.execute(tx);
    const goOn = app.clock.stand();
    const connecting = browser.connect("owner@acme.example", ACME);
    await app.settle(0);
    expect(await countWaiting(app)).toBe(1);
    await raiseListVersion(tx, ACME);
    return { connecting, goOn };
  });
  connected.goOn();
  await connected.connecting;
  const { rows } = await sql<{ state: string }>`select state from run where ${open}`.execute(app.db);
  expect(rows.map(({ state }) => state)).toEqual(["queued", "queued"]);
});

const countWaiting = async ({ db }: TestApp) => {
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows[0]?.n;
};

const countRefused = async ({ intuit }: TestApp, operation: string) => {
  const { entries } = await intuit.control<{ entries: { status: number }[] }>(
    `journal?operation=${operation}`,
  );
  return entries.filter(({ status }) => status >= 400).length;
};

/**
 * Each open row says so in one sentence, and rows that follow each other say it in one result. Batches go three at
 * once: one that was accepted may leave open rows before and after its own.
 */
function expectSaidOnce({ results, counts }: UploadSummary): void {
  const waiting = results.filter(({ message }) => message.includes("reconnect the company to QuickBooks"));
  expect(new Set(waiting.map(({ message }) => message)).size).toBe(1);
  const ranges = waiting.map(({ rows }) => rows.split("-").map(Number));
  const said = ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  expect(new Set(said).size).toBe(counts.open);
  expect(said).toHaveLength(counts.open);
  const starts = said.filter((row) => !said.includes(row - 1));
  expect(waiting).toHaveLength(starts.length);
}

const run = battery({ short: 3, long: 60 });
const INVOICES = 100;

test(
  `the authorization is revoked ${run.times} times during uploads: each waits, says so once, and continues after reconnecting`,
  { timeout: run.timeout },
  async () => {
    // On a fast machine the reconnections are more than the sign-ins that one address may start in a minute.
    const app = await startApp({ limits: NO_CALLER_LIMITS });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await app.intuit.control("settings", { rotation: "every-time", reuse: "revoke-family" }, "PATCH");
    await app.intuit.control("faults", [{ fault: "latency", ms: 60, match: { operation: "batch" } }]);
    const random = seededRandom(run.seed);
    const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
    const sent: InvoiceRow[] = [];
    let waited = 0;
    for (let time = 0; time < run.times; time += 1) {
      const rows = invoiceRows(INVOICES, { prefix: `R${time}`, firstCents: 1_000 + sent.length });
      sent.push(...rows);
      await uploadRows(browser, ACME, rows);
      await app.settle(random() * 600);
      await app.intuit.control("tokens/revoke", { realmId: ACME });
      const stopped = await untilEnded(browser, ACME);
      if (stopped.counts.open > 0) {
        waited += 1;
        expectSaidOnce(stopped);
      }
      await browser.connect("owner@acme.example", ACME);
      const { counts } = await untilFinished(browser, ACME);
      expect(counts).toEqual({ total: INVOICES, completed: INVOICES, problems: 0, open: 0 });
    }
    const made = (await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id));
    const books = compareBooks(made, sent);
    printCounts(run, "reconnect", { revoked: run.times, "during the work": waited, ...books });
    expect(books).toEqual({ once: sent.length, missing: 0, doubled: 0, strangers: 0 });
    expect(waited).toBeGreaterThan(0);
  },
);
