import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { ACME, BAY, driveIntuit, liftLimits } from "../support/intuit.ts";
import { createInstance, SHORT_WRITE_WAITS, removeInstance, runProduct } from "../support/run-product.ts";
import { NO_CALLER_LIMITS, startApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { copyRows } from "./support/copied-rows.ts";
import { copyDataFolder } from "./support/data-folder.ts";
import { compareBooks } from "./support/invoices.ts";
import { openCompany } from "./support/killed-company.ts";
import {
  allOnce,
  compareWithBooks,
  NUMBERINGS,
  readInvoices,
  addVerdicts,
  type Verdict,
} from "./support/many-companies.ts";

const run = battery({ short: 1, long: 20 });
const INVOICES = run.isLong ? 400 : 60;

/** So that a trial takes seconds. */
const WAITS = { ...SHORT_WRITE_WAITS, INTUIT_WRITE_TIMEOUT_MS: "2000" };

/** One product with a numbered and an unnumbered upload in progress, whose data folder is copied and restored later. */
async function restoreDuringUploads(
  seed: number,
  at: { copied: number; stopped: number },
): Promise<Verdict[]> {
  const place = await createInstance();
  let product = await runProduct(place, WAITS);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    // Sending a write again does not show whether it was sent before the copy was restored.
    await intuit.control("settings", { requestIds: "ignored" }, "PATCH");
    const random = seededRandom(seed);
    await intuit.control("faults", [
      { fault: "committed_answer_lost", probability: 0.05, seed, match: { operation: "invoice.create" } },
      { fault: "latency", ms: 150 + Math.round(random() * 150), match: { method: "POST" } },
    ]);
    const companies = await Promise.all(
      NUMBERINGS.map(async (numbering) => openCompany({ product, place, intuit }, numbering)),
    );
    const ids = await Promise.all(companies.map(({ upload }) => upload(INVOICES)));
    const made = async () => (await Promise.all(companies.map((company) => company.made()))).flat().length;
    const until = async (share: number) => {
      while ((await made()) < share * INVOICES * NUMBERINGS.length) await wait(10);
    };
    await until(at.copied);
    const copy = await copyDataFolder(place);
    await until(at.stopped);
    await product.stop();
    await copy.restore();
    product = await runProduct(place, WAITS);
    return await Promise.all(
      companies.map(async ({ browser, realmId, rows, settled, made: inBooks }, index) => {
        await settled();
        const said = await readInvoices(browser, realmId, ids[index] ?? "");
        return { ...compareWithBooks(await inBooks(), { rows, said }), reconnected: 0 };
      }),
    );
  } finally {
    await product.stop();
    await removeInstance(place);
  }
}

test(
  `${run.times} × a data folder copied while two uploads of ${INVOICES} invoices run, and restored later, with a vendor that forgot the request ids: each invoice exactly once`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const verdicts: Verdict[] = [];
    for (let time = 0; time < run.times; time += 1) {
      // The first copy of a long form is taken before anything was sent.
      const copied = run.isLong && time === 0 ? 0 : random() * 0.6;
      const stopped = copied + random() * (1 - copied);
      verdicts.push(...(await restoreDuringUploads(run.seed + time, { copied, stopped })));
      printCounts(run, "restored", { time, ...addVerdicts(verdicts) });
    }
    expect(addVerdicts(verdicts)).toEqual({
      ...allOnce(run.times * INVOICES * NUMBERINGS.length),
      reconnected: 0,
    });
  },
);

test.each(["before the first is sent", "in the middle"])(
  "rows of a backup that are put back while the product runs, copied %s of two uploads: each invoice exactly once",
  async (moment) => {
    const app = await startApp({ env: WAITS, limits: NO_CALLER_LIMITS, worker: false });
    await app.intuit.control("settings", { requestIds: "ignored" }, "PATCH");
    await app.intuit.control("faults", [{ fault: "latency", ms: 200, match: { method: "POST" } }]);
    const count = 24;
    const companies = [
      { realmId: ACME, browser: await app.owner(ACME), prefix: "RS-" },
      { realmId: BAY, browser: await app.owner(BAY, "platform@dockside.example"), prefix: "" },
    ];
    const known = new Set<string>();
    for (const { realmId } of companies) {
      await liftLimits(app.intuit, realmId);
      for (const { Id } of await app.intuit.invoices(realmId)) known.add(`${realmId} ${Id}`);
    }
    const madeIn = async (realmId: string) =>
      (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(`${realmId} ${Id}`));
    const untilMade = async (least: number) => {
      for (const { realmId } of companies)
        while ((await madeIn(realmId)).length < least) await app.settle(20);
    };
    const posting = companies.map((company) => ({
      ...company,
      rows: invoiceRows(count, { prefix: company.prefix, firstCents: 5_000 }),
    }));
    // Tokens are renewed before the backup: those of an older one work only once.
    const stop = moment === "in the middle" ? await app.work() : null;
    for (const { browser, realmId, rows } of posting)
      expect((await uploadRows(browser, realmId, rows)).status).toBe(202);
    if (stop) await untilMade(2);
    const restore = await copyRows(app.db);
    if (!stop) await app.work();
    await untilMade(count);
    for (const { browser, realmId } of posting) await settledUploads(browser, realmId);
    await restore();
    for (const { browser, realmId, rows } of posting) {
      const { uploads } = await settledUploads(browser, realmId);
      expect(uploads[0]?.counts).toEqual({ total: count, completed: count, problems: 0, open: 0 });
      expect(compareBooks(await madeIn(realmId), rows)).toEqual({
        once: count,
        missing: 0,
        doubled: 0,
        strangers: 0,
      });
    }
  },
  120_000,
);
