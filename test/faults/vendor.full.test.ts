import { expect, test } from "vitest";
import { ACME, BAY, type JournalEntry, liftLimits } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { battery, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { doReceiptsAgree, untilFinished } from "./support/uploads.ts";
import { vendorFaults } from "./support/vendor-faults.ts";
import { invoiceRows } from "../support/workbooks.ts";

const run = battery({ short: 1, long: 10 });
const INVOICES = 1_000;
/** The client's own time-out ends a call that hangs; in the short form the vendor does so sooner. */
const HANG_CUT_MS = 10_000;
const TIMEOUTS = {
  INTUIT_READ_TIMEOUT_MS: String(HANG_CUT_MS),
  INTUIT_WRITE_TIMEOUT_MS: String(HANG_CUT_MS),
};
const MAX_ATTEMPTS = 5;

test(
  `${run.times} × 1,000 invoices through 5 % 500, 5 % 503, 10 % lost answers, 2 % half answers and 1 % hangs: each exactly once`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ env: TIMEOUTS });
    const totals = { once: 0, missing: 0, doubled: 0, strangers: 0, calls: 0, hangs: 0 };
    const faults: Record<string, number> = {};
    let [slowestHangMs, mostTries] = [0, 0];
    const emails = { [ACME]: "owner@acme.example", [BAY]: "platform@dockside.example" };
    const browsers = {
      [ACME]: await app.owner(ACME, emails[ACME]),
      [BAY]: await app.owner(BAY, emails[BAY]),
    };
    for (let time = 0; time < run.times; time += 1) {
      const realmId = time % 2 === 0 ? ACME : BAY;
      const browser = browsers[realmId];
      await liftLimits(app.intuit, realmId);
      await app.intuit.control("faults", undefined, "DELETE");
      await app.intuit.control(
        "faults",
        vendorFaults(run.seed + time * 100, run.isLong ? {} : { hangMs: 500 }),
      );
      await app.intuit.control("journal", undefined, "DELETE");
      const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
      const prefix = realmId === ACME ? `V${time}` : "";
      const rows = invoiceRows(INVOICES, { prefix, firstCents: 1_000 + time * INVOICES });
      expect((await uploadRows(browser, realmId, rows)).status).toBe(202);
      const { id, counts } = await untilFinished(browser, realmId);
      expect(counts).toEqual({ total: INVOICES, completed: INVOICES, problems: 0, open: 0 });
      expect(await doReceiptsAgree(browser, realmId, [{ id }])).toBe(true);
      const made = (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
      const books = compareBooks(made, rows);
      for (const key of ["once", "missing", "doubled", "strangers"] as const) totals[key] += books[key];
      const { entries } = await app.intuit.control<{ entries: JournalEntry[] }>("journal?limit=50000");
      const calls = entries.filter(({ realm_id }) => realm_id === realmId);
      totals.calls += calls.length;
      for (const { fault } of calls) if (fault) faults[String(fault)] = (faults[String(fault)] ?? 0) + 1;
      const hangs = calls.filter(({ fault }) => fault === "hang").map(({ ms }) => Number(ms));
      totals.hangs += hangs.length;
      slowestHangMs = Math.max(slowestHangMs, ...hangs);
      mostTries = Math.max(mostTries, ...countTries(calls));
    }
    printCounts(run, "vendor", {
      ...totals,
      ...faults,
      "longest hang, ms": slowestHangMs,
      "most tries of a write": mostTries,
    });
    expect(totals).toMatchObject({ once: run.times * INVOICES, missing: 0, doubled: 0, strangers: 0 });
    expect(slowestHangMs).toBeLessThan(HANG_CUT_MS + 1_000);
    expect(mostTries).toBeLessThanOrEqual(MAX_ATTEMPTS);
  },
);

/** How often each write was sent under its request id. */
function countTries(calls: readonly JournalEntry[]): number[] {
  const tries = new Map<string, number>();
  for (const { requestid } of calls) {
    if (typeof requestid === "string") tries.set(requestid, (tries.get(requestid) ?? 0) + 1);
  }
  return [...tries.values()];
}
