import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME, BAY, type Intuit, type JournalEntry } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { battery, printCounts } from "./support/battery.ts";
import { invoiceRows } from "../support/workbooks.ts";

const run = battery({ short: 0, long: 1 });
const MINUTE_MS = 60_000;
/** Intuit's published limits: requests and batches a minute for a company, requests a second and at once for an app. */
const ALLOWED = { perMinute: 500, perSecond: 10, batchPerMinute: 40 };
const AT_ONCE = 10;
const INVOICES_A_BATCH = 25;
const MEASURED_MINUTES = 2;
/** Share of the allowed invoices that must be posted. */
const MIN_SHARE = 0.9;

type Rate = { calls: number; throttled: number; invoices: number; allowed: number };

/** Invoices per minute: with numbers from the sheet limited by batches, else by requests. */
const ALLOWED_INVOICES: Record<string, number> = {
  [ACME]: ALLOWED.batchPerMinute * INVOICES_A_BATCH,
  [BAY]: ALLOWED.perMinute,
};

// Minutes of real time, so in the long form only. What one 429 does is tested in src/integrations/intuit/books.test.ts, how the
// budget is shared in src/platform/outbound/budget.test.ts, and how uploads wait in waiting.full.test.ts.
test.runIf(run.isLong)(
  "after a storm of 429s the allowed rate is used, hardly ever exceeded, and two companies do not slow each other down",
  { timeout: run.timeout },
  async () => {
    const app = await startApp();
    const browsers = {
      [ACME]: await app.owner(ACME),
      [BAY]: await app.owner(BAY, "platform@dockside.example"),
    };
    await limit(app.intuit, ACME, { answer: "json", retryAfter: "seconds" });
    await limit(app.intuit, BAY, { answer: "xml", retryAfter: "date" });
    const count = (MEASURED_MINUTES + 3) * ALLOWED.batchPerMinute * INVOICES_A_BATCH;
    const uploadTo = (realmId: typeof ACME | typeof BAY, invoices: number) =>
      uploadRows(browsers[realmId], realmId, invoiceRows(invoices, { prefix: realmId === ACME ? "ST" : "" }));
    // QuickBooks numbers this company's invoices, so each is sent in its own call.
    await storm(app.intuit, BAY, "429xml");
    await uploadTo(BAY, 2 * count);
    const alone = await measure(app.intuit, BAY);
    await storm(app.intuit, ACME, "429");
    await uploadTo(ACME, count);
    const [numbered, unnumbered] = await Promise.all([measure(app.intuit, ACME), measure(app.intuit, BAY)]);
    await abandonUploads(app);
    const share = ({ invoices, allowed }: Rate) => invoices / allowed;
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
    const all = [alone, numbered, unnumbered];
    printCounts(run, "storm", {
      "one company alone, share of the allowed invoices": percent(share(alone)),
      "two together": `${percent(share(numbered))} and ${percent(share(unnumbered))}`,
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      "answered 429 after the first minute": all.reduce((sum, { throttled }) => sum + throttled, 0),
    });
    for (const rate of all) {
      expect(rate.throttled / rate.calls).toBeLessThanOrEqual(0.01);
      expect(share(rate)).toBeGreaterThanOrEqual(MIN_SHARE);
    }
    expect(Math.abs(share(numbered) - share(unnumbered))).toBeLessThanOrEqual(0.1 * share(numbered));
    expect(Math.abs(share(alone) - share(unnumbered))).toBeLessThanOrEqual(0.1 * share(alone));
  },
);

/** The measurement is complete: the workers are fenced out of the rest, and need not wait a minute to notice. */
async function abandonUploads({ db }: TestApp): Promise<void> {
  await sql`update run set fence = fence + 1, state = 'stopped'`.execute(db);
  await sql`delete from outbound_lease`.execute(db);
}

function limit(intuit: Intuit, realmId: string, throttling: { answer: string; retryAfter: string }) {
  return intuit.control(
    `companies/${realmId}`,
    { limits: { ...ALLOWED, ...throttling, atOnce: AT_ONCE } },
    "PATCH",
  );
}

/**
 * Calls are throttled though the limits are kept: other apps may spend the same company's budget. Some of the answers
 * say when to retry, as seconds or as a date, and some do not.
 */
function storm(intuit: Intuit, realmId: string, fault: "429" | "429xml") {
  const rule = { fault, match: { realmId }, probability: 0.3, count: 1 };
  const ways = [{}, { retryAfter: { seconds: 20 } }, { retryAfter: { seconds: 20, as: "date" } }];
  return intuit.control(
    "faults",
    ways.map((way, index) => ({ ...rule, ...way, seed: run.seed + index })),
  );
}

/** Each way of throttling has been met. */
async function untilStormIsOver(intuit: Intuit, realmId: string): Promise<void> {
  const strikesToCome = async () => {
    const { rules } = await intuit.control<{ rules: { match: { realmId: string }; fired: number }[] }>(
      "faults",
    );
    return rules.filter(({ match, fired }) => match.realmId === realmId && fired === 0).length;
  };
  await expect.poll(strikesToCome, { timeout: 5 * MINUTE_MS, interval: 100 }).toBe(0);
}

/** Counts a company's calls from the second minute after the storm. */
async function measure(intuit: Intuit, realmId: string): Promise<Rate> {
  await untilStormIsOver(intuit, realmId);
  await untilPosting(intuit, realmId);
  // A 429 makes the company wait a minute, and the calls of the first minute do not count.
  await wait(1.1 * MINUTE_MS);
  const since = (await journal(intuit, realmId, 0)).last;
  await wait(MEASURED_MINUTES * MINUTE_MS);
  const { entries } = await journal(intuit, realmId, since);
  return {
    calls: entries.length,
    throttled: entries.filter(({ status }) => status === 429).length,
    invoices: entries.reduce((sum, { writes }) => sum + Number(writes), 0),
    allowed: (ALLOWED_INVOICES[realmId] ?? 0) * MEASURED_MINUTES,
  };
}

/** The storm may be over while the file is still read and planned. */
async function untilPosting(intuit: Intuit, realmId: string): Promise<void> {
  const writes = async () =>
    (await journal(intuit, realmId, 0)).entries.reduce((sum, { writes: made }) => sum + Number(made), 0);
  await expect.poll(writes, { timeout: 120_000, interval: 250 }).toBeGreaterThan(0);
}

const journal = (intuit: Intuit, realmId: string, since: number) =>
  intuit.control<{ last: number; entries: JournalEntry[] }>(
    `journal?realm_id=${realmId}&since=${since}&limit=50000`,
  );
