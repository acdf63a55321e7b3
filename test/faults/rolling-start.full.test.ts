import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploads } from "#features/invoices/contract.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, BAY, liftLimits } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { type InvoiceRow, invoiceRows } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { startSecondProcess } from "./support/second-process.ts";

const run = battery({ short: 3, long: 40 });
const INVOICES = 60;

test(
  `${run.times} releases, each started before the one before it is stopped, during uploads: no call fails, and every invoice is created once`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ limits: NO_CALLER_LIMITS, worker: false });
    const owners = {
      [ACME]: await app.owner(ACME),
      [BAY]: await app.owner(BAY, "platform@dockside.example"),
    };
    const random = seededRandom(run.seed);
    const [sent, known] = [new Map<string, InvoiceRow[]>(), new Map<string, Set<string>>()];
    for (const realmId of [ACME, BAY]) {
      await liftLimits(app.intuit, realmId);
      known.set(realmId, new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id)));
    }
    await app.intuit.control("faults", [{ fault: "latency", ms: 150, match: { method: "POST" } }]);
    let stopOld = await app.work();
    let servers: Record<string, Browser> = owners;
    let calls = 0;
    const expectList = async (browser: Browser, realmId: string) => {
      calls += 1;
      expect((await browser.call(listUploads, { query: { realm_id: realmId } })).status).toBe(200);
    };
    for (let release = 1; release <= run.times; release += 1) {
      for (const realmId of [ACME, BAY]) {
        const prefix = realmId === ACME ? `R${release}-` : "";
        const rows = invoiceRows(INVOICES, { prefix, firstCents: 1_000 + release * INVOICES });
        sent.set(realmId, [...(sent.get(realmId) ?? []), ...rows]);
        expect((await uploadRows(servers[realmId]!, realmId, rows)).status).toBe(202);
      }
      await app.settle(random() * 400);
      const next = await startSecondProcess(app, { program: `dockside@${release}` });
      const stopNext = await next.work();
      servers = {
        [ACME]: await next.browserLike(owners[ACME]),
        [BAY]: await next.browserLike(owners[BAY]),
      };
      const ended = stopOld();
      for (const realmId of [ACME, BAY]) await expectList(servers[realmId]!, realmId);
      await app.clock.during(ended);
      stopOld = stopNext;
    }
    const books = [];
    for (const realmId of [ACME, BAY]) {
      const { uploads } = await settledUploads(servers[realmId]!, realmId);
      expect(uploads.reduce((sum, { counts }) => sum + counts.problems, 0)).toBe(0);
      const made = (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.get(realmId)?.has(Id));
      books.push(compareBooks(made, sent.get(realmId) ?? []));
    }
    const { rows: runs } = await sql<{ programs: number; taken: number }>`select
      count(distinct added_by)::int as programs, count(*) filter (where fence > 1)::int as taken from run`.execute(
      app.db,
    );
    printCounts(run, "rolling-start", {
      releases: run.times,
      "that added runs": runs[0]?.programs ?? 0,
      "runs handed over": runs[0]?.taken ?? 0,
      calls,
      books: JSON.stringify(books),
    });
    const once = run.times * INVOICES;
    expect(books).toEqual(books.map(() => ({ once, missing: 0, doubled: 0, strangers: 0 })));
    expect(runs[0]?.taken).toBeGreaterThan(0);
  },
);
