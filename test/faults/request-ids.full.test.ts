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
import { vendorFaults } from "./support/vendor-faults.ts";

const run = battery({ short: 6, long: 400 });

/** Trials at a vendor on a bad day, whose queries show new invoices this many seconds late. */
const badDays = (hiddenS: number): Trial[] =>
  NUMBERINGS.map((numbering, index) => ({
    numbering,
    invoices: run.times,
    faults: [
      { fault: "committed_answer_lost", hiddenS, probability: 0.2, seed: run.seed + index, match: WRITES },
      ...vendorFaults(run.seed + index * 100, { hangMs: 500 }),
    ] as Trial["faults"],
  }));
const WRITES = { method: "POST", path: "/(batch|invoice)$" };

test.each([
  ["ignores request ids", { requestIds: "ignored" }],
  ["forgets request ids after a minute", { requestIdsKeptS: 60 }],
] as const)(
  "with a vendor that %s, loses answers and shows late what it created, each invoice is created exactly once",
  { timeout: run.timeout },
  async (_, settings) => {
    const app = await startManyCompanies();
    await app.intuit.control("settings", { ...settings, queryLagS: 0 }, "PATCH");
    const trials = [...badDays(0), ...badDays(180)];
    const verdicts = await postAll(app, trials);
    printCounts(run, "request-ids", { ...settings, ...addVerdicts(verdicts) });
    expect(addVerdicts(verdicts)).toEqual({ ...allOnce(trials.length * run.times), reconnected: 0 });
  },
);
