import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { sql } from "kysely";
import { databaseUrl } from "../support/database.ts";
import { ACME, liftLimits } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { battery, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { SEALING_KEYS, startSecondProcess } from "./support/second-process.ts";
import { readList, untilFinished } from "./support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";

const CHILD = join(import.meta.dirname, "fixtures/workers/refresh-and-die.ts");
const STRICT = { rotation: "every-time", reuse: "revoke-family" };

const expiries = battery({ short: 4, long: 50 });
test(
  `tokens expire ${expiries.times} times during uploads, with 20 concurrent calls from two processes: one renewal, no failed row`,
  { timeout: expiries.timeout },
  async () => {
    const app = await startApp();
    const second = await startSecondProcess(app);
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await app.intuit.control("settings", STRICT, "PATCH");
    await app.intuit.control("faults", [{ fault: "latency", ms: 100, match: { operation: "batch" } }]);
    const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
    const rows = invoiceRows(expiries.times * 50, { prefix: "T" });
    await uploadRows(browser, ACME, rows);
    await app.intuit.control("journal", undefined, "DELETE");
    const applications = [app.application, second.application];
    for (let expiry = 0; expiry < expiries.times; expiry += 1) {
      const answered = await countBatches(app);
      await app.intuit.control("tokens/expire", { realmId: ACME });
      const calls = Array.from({ length: 10 }, () =>
        applications.map(({ invoices }) => invoices.books(ACME).companyInfo()),
      ).flat();
      await app.clock.during(Promise.all(calls));
      // A call that is refused with its new token too would count as refused for good. Batches go three at once, so that
      // one that is answered says nothing of the others that were refused with the old token.
      const underWay = await findSent(app);
      const goesOn = async () => {
        const [batches, sent] = [await countBatches(app), await findSent(app)];
        if (batches > answered && ![...sent].some((part) => underWay.has(part))) return true;
        return !(await readList(browser, ACME)).in_process;
      };
      while (!(await goesOn())) await app.settle(50);
    }
    const { counts } = await untilFinished(browser, ACME);
    const refreshes = await countRefreshes(app);
    const made = (await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id));
    const books = compareBooks(made, rows);
    printCounts(expiries, "tokens", {
      expiries: expiries.times,
      renewals: refreshes,
      ...books,
      problems: counts.problems,
    });
    expect(refreshes).toBe(expiries.times);
    expect(counts).toEqual({ total: rows.length, completed: rows.length, problems: 0, open: 0 });
    expect(books).toEqual({ once: rows.length, missing: 0, doubled: 0, strangers: 0 });
  },
);

const kills = battery({ short: 2, long: 50 });
test.each([
  { moment: "stored", settings: STRICT, recovers: "by itself" },
  { moment: "answered", settings: { rotation: "sticky24h", reuse: "reject" }, recovers: "by itself" },
  { moment: "answered", settings: { rotation: "every-time", reuse: "grace24h" }, recovers: "by itself" },
  { moment: "answered", settings: STRICT, recovers: "by reconnecting" },
])(
  `killed ${kills.times} times when the new tokens were $moment ($settings.rotation, $settings.reuse) the company recovers $recovers`,
  { timeout: kills.timeout },
  async ({ moment, settings, recovers }) => {
    // On a fast machine the reconnections are more than the sign-ins that one address may start in a minute.
    const app = await startApp({ limits: NO_CALLER_LIMITS });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await app.intuit.control("settings", settings, "PATCH");
    let [alone, reconnected] = [0, 0];
    for (let kill = 0; kill < kills.times; kill += 1) {
      expect(await renewAndDie(app, moment)).toBe("SIGKILL");
      // The access token of the dead process is expired: the next call needs the refresh token that it stored.
      await app.intuit.control("tokens/expire", { realmId: ACME });
      const works = await isAnswered(app);
      if (works) alone += 1;
      if (works) continue;
      expect(await readConnection(browser)).toBe("reconnect_needed");
      await browser.connect("owner@acme.example", ACME);
      if (await isAnswered(app)) reconnected += 1;
    }
    printCounts(kills, `tokens, killed when ${moment} (${settings.rotation}, ${settings.reuse})`, {
      kills: kills.times,
      "worked by itself": alone,
      "worked after reconnecting": reconnected,
    });
    expect({ alone, reconnected }).toEqual(
      recovers === "by itself"
        ? { alone: kills.times, reconnected: 0 }
        : { alone: 0, reconnected: kills.times },
    );
  },
);

async function renewAndDie(app: TestApp, moment: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const child = spawn(process.execPath, [CHILD], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(inject("databaseUrl"), rows[0]?.name ?? ""),
      INTUIT_URL: app.intuit.url,
      REALM_ID: ACME,
      SEALING_KEYS,
      MOMENT: moment,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
}

const isAnswered = (app: TestApp) =>
  app.clock.during(app.application.invoices.books(ACME).companyInfo()).then(
    () => true,
    () => false,
  );

async function readConnection(browser: Awaited<ReturnType<TestApp["owner"]>>): Promise<unknown> {
  const reply = (await browser.request("/api/v1/company")).json() as { companies: { connection: string }[] };
  return reply.companies[0]?.connection;
}

/** The invoices that are on their way to QuickBooks now. */
async function findSent({ db }: TestApp): Promise<Set<string>> {
  const { rows } = await sql<{ part: string }>`select part from write where state = 'sent'`.execute(db);
  return new Set(rows.map(({ part }) => part));
}

async function countRefreshes({ intuit }: TestApp): Promise<number> {
  const { entries } = await intuit.control<{ entries: unknown[] }>(
    "journal?operation=oauth.refresh_token&limit=5000",
  );
  return entries.length;
}

async function countBatches({ intuit }: TestApp): Promise<number> {
  const { entries } = await intuit.control<{ entries: { status: number }[] }>(
    "journal?operation=batch&limit=5000",
  );
  return entries.filter(({ status }) => status === 200).length;
}
