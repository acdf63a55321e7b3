import { sql } from "kysely";
import { expect, test } from "vitest";
import { postInvoices } from "#features/invoices/contract.ts";
import type { Application } from "../../src/main/application.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, BAY, liftLimits } from "../support/intuit.ts";
import { findRun } from "../support/ledger.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { type InvoiceRow, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { startSecondProcess } from "./support/second-process.ts";

const run = battery({ short: 6, long: 500 });
const INVOICES = 30;
test(
  `two workers on one run, ${run.times} times: nothing twice, nothing lost, and the late worker writes nothing`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp();
    const second = await startSecondProcess(app);
    await second.work();
    const browsers = {
      [ACME]: await app.owner(ACME),
      [BAY]: await app.owner(BAY, "platform@dockside.example"),
    };
    const random = seededRandom(run.seed);
    for (const realmId of [ACME, BAY]) await liftLimits(app.intuit, realmId);
    await app.intuit.control("faults", [
      { fault: "latency", ms: 60, match: { operation: "batch" }, probability: 0.5, seed: run.seed },
      {
        fault: "code",
        code: "10000",
        match: { operation: "batch.item" },
        probability: 0.05,
        seed: run.seed + 1,
      },
      {
        fault: "latency",
        ms: 180,
        match: { operation: "invoice.create" },
        probability: 0.7,
        seed: run.seed + 3,
      },
      { fault: "committed_answer_lost", match: { operation: "batch" }, probability: 0.1, seed: run.seed + 2 },
    ]);
    const slept = [app.application, second.application].map((application) => makeSleepy(application, random));
    const known = new Map<string, Set<string>>();
    for (const realmId of [ACME, BAY]) {
      known.set(realmId, new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id)));
    }
    const sent: Record<string, InvoiceRow[]> = { [ACME]: [], [BAY]: [] };
    const taken = { trials: 0, times: 0 };
    for (let trial = 0; trial < run.times; trial += 1) {
      const realmId = trial % 2 === 0 ? ACME : BAY;
      const prefix = realmId === ACME ? `W${trial}` : "";
      const rows = invoiceRows(INVOICES, { prefix, firstCents: 1_000 + trial * INVOICES });
      sent[realmId]?.push(...rows);
      const trialRun = await runTrial({ app, browser: browsers[realmId] as Browser, realmId, rows, random });
      taken.times += trialRun.taken;
      if (trialRun.claims > 1) taken.trials += 1;
    }
    const books = await Promise.all(
      [ACME, BAY].map(async (realmId) => {
        const made = (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.get(realmId)?.has(Id));
        return compareBooks(made, sent[realmId] ?? []);
      }),
    );
    printCounts(run, "two workers", {
      trials: run.times,
      "with two workers": taken.trials,
      "runs taken away": taken.times,
      "late sends": slept.reduce((sum, count) => sum + count.sends, 0),
      "of them refused by the fence": slept.reduce((sum, count) => sum + count.refused, 0),
      "numbered invoices": JSON.stringify(books[0]),
      "unnumbered invoices": JSON.stringify(books[1]),
    });
    for (const [index, realmId] of [ACME, BAY].entries()) {
      const once = sent[realmId]?.length;
      expect(books[index]).toEqual({ once, missing: 0, doubled: 0, strangers: 0 });
    }
    expect(taken.trials).toBeGreaterThan(run.times / 2);
  },
);

type Trial = { app: TestApp; browser: Browser; realmId: string; rows: InvoiceRow[]; random: () => number };

/** One upload whose run is repeatedly taken from the worker that has it. */
async function runTrial({ app, browser, realmId, rows, random }: Trial) {
  const file = { name: "taken.xlsx", bytes: await invoiceWorkbook(rows) };
  const accepted = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
  const { id } = accepted.json() as { id: string };
  let taken = 0;
  for (;;) {
    await app.settle(10 + random() * 60);
    const upload = await findRun(app.db, id);
    if (upload?.state === "done") {
      const left = await sql`select doc_number, state, cause from ledger_entry
        where upload_id = ${id} and state <> 'posted'`.execute(app.db);
      expect(left.rows).toEqual([]);
      return { taken, claims: upload.fence };
    }
    if (taken < 4) {
      // As when its holder is presumed dead.
      await sql`update run set state = 'queued', due_at = now() where state = 'working' and realm_id <> ''`.execute(
        app.db,
      );
      await sql`select pg_notify('dockside_runs', '')`.execute(app.db);
      taken += 1;
    }
  }
}

/** A worker that may sleep between taking invoices and sending them, like a stalled machine. */
function makeSleepy({ invoices, ctx }: Application, random: () => number) {
  const slept = { sends: 0, refused: 0 };
  const openBooks = invoices.books;
  const lateness = () => (random() < 0.4 ? random() * 150 : 0);
  const sleepThen = async <T>(send: () => Promise<T>): Promise<T> => {
    const late = lateness();
    if (late === 0) return send();
    await ctx.clock.sleep(late);
    slept.sends += 1;
    return send().catch((error: unknown) => {
      if ((error as Error).name === "LeaseLost") slept.refused += 1;
      throw error;
    });
  };
  invoices.books = (realmId) => {
    const books = openBooks(realmId);
    return {
      ...books,
      batch: (items, options) => sleepThen(() => books.batch(items, options)),
      createInvoice: (body, options) => sleepThen(() => books.createInvoice(body, options)),
    };
  };
  return slept;
}
