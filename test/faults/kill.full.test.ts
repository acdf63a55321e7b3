import { expect, test } from "vitest";
import { runKills, type KillOutcome } from "./kill-run.ts";
import { battery, printCounts } from "./support/battery.ts";
import { killInPlaces, sumOfKills } from "./support/kills.ts";

const run = battery({ short: 1, long: 200 });
// Product and database together are killed in kill-undo.full.test.ts, and in the long form.
test.runIf(!run.isLong).each([
  ["numbered", ["product"]],
  ["unnumbered", ["database"]],
] as const)(
  "killed during an upload of 60 invoices (%s; %s), the books hold each exactly once",
  { timeout: run.timeout },
  async (numbering, victims) => {
    const outcome = await runKills(
      { invoices: 60, kills: run.times, seed: run.seed, victims, longestMs: 900 },
      numbering,
    );
    expectPostedOnce(outcome);
  },
);

test.runIf(run.isLong)(
  `killed ${run.times} times during uploads of 1,000 invoices, the books hold each exactly once`,
  { timeout: run.timeout },
  async () => {
    const outcomes = await killInPlaces(run, "kill", (kills, index) =>
      runKills({ ...kills, invoices: 1_000 }, index % 2 === 0 ? "numbered" : "unnumbered"),
    );
    const sum = (of: (outcome: KillOutcome) => number) =>
      outcomes.reduce((total, outcome) => total + of(outcome), 0);
    printCounts(run, "kill", {
      ...sumOfKills(outcomes),
      once: sum(({ once }) => once),
      missing: sum(({ missing }) => missing),
      doubled: sum(({ doubled }) => doubled),
      "failed or refused by the vendor": sum(({ refused }) => refused),
      "answered from the first answer": sum(({ replayed }) => replayed),
    });
    for (const outcome of outcomes) expectPostedOnce(outcome);
  },
);

function expectPostedOnce(outcome: KillOutcome): void {
  const { sent } = outcome;
  expect(outcome).toMatchObject({
    once: sent,
    missing: 0,
    doubled: 0,
    strangers: 0,
    writes: sent,
    receiptsAgree: true,
    completedRows: sent,
    problemRows: 0,
  });
  expect(outcome.slowest.resumeMs).toBeLessThan(10_000);
}
