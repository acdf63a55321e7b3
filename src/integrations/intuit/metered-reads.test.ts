import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { searchList } from "#features/books/names/contract.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { ACME, type JournalEntry } from "../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";

/** Reads that Intuit meters, by its own record; calls for sign-in are not metered. */
async function countReads({ intuit }: TestApp): Promise<number> {
  const { entries } = await intuit.control<{ entries: JournalEntry[] }>("journal?limit=100000");
  return entries.filter(({ path, method }) => String(path).startsWith("/v3/") && method === "GET").length;
}

function captureWarnings() {
  const lines: { msg: string; calls?: number; limit?: number }[] = [];
  const log = pino(
    { level: "warn" },
    { write: (line: string) => void lines.push(JSON.parse(line) as never) },
  );
  return { log, usage: () => lines.filter(({ msg }) => msg.startsWith("80 %")) };
}

test("every read of QuickBooks is counted by day, writes are not, and there is one warning at 80 % of the month's limit", async () => {
  const { log, usage } = captureWarnings();
  const app = await startApp({ env: { INTUIT_MONTHLY_READS: "25" }, log });
  const browser = await app.owner(ACME);
  const upload = async (number: string) => {
    await uploadRows(browser, ACME, [invoiceLine(number, {})]);
    await settledUploads(browser, ACME);
  };
  await upload("M-1");
  const first = await countReads(app);
  expect(first).toBeGreaterThan(0);
  expect(await app.application.reads.readMonth()).toEqual({ calls: first, limit: 25 });
  for (let number = 2; (await countReads(app)) < 20; number += 1) await upload(`M-${number}`);
  const { calls } = await app.application.reads.readMonth();
  expect(calls).toBe(await countReads(app));
  expect(usage()).toMatchObject([{ limit: 25, vendor: "intuit" }]);
  await upload("M-99");
  const { calls: last } = await app.application.reads.readMonth();
  expect(last).toBeGreaterThan(calls);
  expect(usage()).toHaveLength(1);
  const today = new Date().toISOString().slice(0, 10);
  const { rows } =
    await sql`select vendor, to_char(day, 'YYYY-MM-DD') as day, calls from metered_calls`.execute(app.db);
  expect(rows).toEqual([{ vendor: "intuit", day: today, calls: last }]);
});

test("reads that failed and were repeated each count, and are saved together", async () => {
  const app = await startApp({ clock: steppedClock() });
  const browser = await app.owner(ACME);
  await app.application.reads.readMonth();
  await app.intuit.control("faults", [{ fault: "503", match: { operation: "query" }, count: 2 }]);
  await browser.call(searchList, { params: { kind: "term" }, query: { realm_id: ACME, q: "" } });
  expect((await app.application.reads.readMonth()).calls).toBe(await countReads(app));
});
