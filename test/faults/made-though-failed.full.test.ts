import { expect, test } from "vitest";
import { battery, printCounts } from "./support/battery.ts";
import {
  allOnce,
  NUMBERINGS,
  postAll,
  startManyCompanies,
  addVerdicts,
  type Trial,
} from "./support/many-companies.ts";
import { readList } from "./support/uploads.ts";

const run = battery({ short: 8, long: 500 });
const VISIBLE_AFTER_S = 180;

test(
  "an invoice posted although the response says it failed, and visible only three minutes later, is not created twice, and the others are posted meanwhile",
  { timeout: run.timeout },
  async () => {
    // So slow that all others are posted before the first of these is visible, and that no call seems to have taken longer
    // than one may, after which an equal invoice is asked about.
    const app = await startManyCompanies();
    // A repeat would create a second invoice, and be counted.
    await app.intuit.control("settings", { requestIds: "ignored" }, "PATCH");
    const failed = { fault: "code", code: "10000", committed: true, hiddenS: VISIBLE_AFTER_S };
    const count = Math.ceil(run.times / 10);
    // Not adjacent: five in a row are an outage to the product, and then the others would wait too.
    const everyN = Math.min(10, run.times);
    const trials = NUMBERINGS.map((numbering): Trial => {
      const operation = numbering === "numbered" ? "batch.item" : "invoice.create";
      return { numbering, invoices: run.times, faults: [{ ...failed, match: { operation }, everyN, count }] };
    });
    const others = { completed: run.times - count, open: count };
    const verdicts = await postAll(app, trials, async ({ browser, realmIds }) => {
      const counts = async (realmId: string) => (await readList(browser, realmId)).uploads[0]?.counts;
      await Promise.all(
        realmIds.map((id) => expect.poll(() => counts(id), { interval: 20 }).toMatchObject(others)),
      );
    });
    printCounts(run, "made-though-failed", { ...addVerdicts(verdicts) });
    expect(addVerdicts(verdicts)).toEqual({ ...allOnce(trials.length * run.times), reconnected: 0 });
  },
);
