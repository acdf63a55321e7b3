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
      await app.settle((VISIBLE_AFTER_S / 2) * 1_000);
      for (const id of realmIds)
        expect((await readList(browser, id)).uploads[0]?.counts).toMatchObject(others);
    });
    printCounts(run, "made-though-failed", { ...addVerdicts(verdicts) });
    expect(addVerdicts(verdicts)).toEqual({ ...allOnce(trials.length * run.times), reconnected: 0 });
  },
);
