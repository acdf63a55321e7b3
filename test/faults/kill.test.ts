import { expect, test } from "vitest";
import { runKills, type KillOutcome, type KillRun } from "./kill-run.ts";
import { battery, tell } from "./support/battery.ts";

const run = battery({ short: 3, long: 200 });
/** Products that are killed beside each other: each mostly waits for the vendor's budget. */
const AT_ONCE = 5;
const KILLS_EACH = 20;

test.runIf(!run.isLong).each([
  ["numbered", ["product"]],
  ["unnumbered", ["database"]],
  ["unnumbered", ["both"]],
] as const)(
  "killed three times amid an upload of 150 invoices (%s; %s), the books hold each exactly once",
  { timeout: 120_000 },
  async (numbering, victims) => {
    const outcome = await runKills(
      { invoices: 150, kills: run.times, seed: run.seed, victims, longestMs: 900 },
      numbering,
    );
    judge(outcome);
  },
);

test.runIf(run.isLong)(
  `killed ${run.times} times amid uploads of 1,000 invoices, the books hold each exactly once`,
  { timeout: 1_200_000 },
  async () => {
    const runs = Math.ceil(run.times / KILLS_EACH);
    const wishes = Array.from(
      { length: runs },
      (_, index): KillRun & { numbering: "numbered" | "unnumbered" } => ({
        invoices: 1_000,
        kills: Math.min(KILLS_EACH, run.times - index * KILLS_EACH),
        seed: run.seed + index * 1_000,
        victims: ["product", "product", "product", "database", "both"],
        longestMs: 4_000,
        numbering: index % 2 === 0 ? "numbered" : "unnumbered",
      }),
    );
    const outcomes: KillOutcome[] = [];
    const lane = async () => {
      for (let wish = wishes.shift(); wish; wish = wishes.shift()) {
        const outcome = await runKills(wish, wish.numbering);
        outcomes.push(outcome);
        tell(run, `kill, ${wish.numbering}`, { "own seed": wish.seed, outcome: JSON.stringify(outcome) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const sum = (of: (outcome: KillOutcome) => number) => outcomes.reduce((total, one) => total + of(one), 0);
    tell(run, "kill", {
      places: runs,
      "kills of the product": sum(({ struck }) => struck.product),
      "of the database": sum(({ struck }) => struck.database),
      "of both": sum(({ struck }) => struck.both),
      once: sum(({ once }) => once),
      missing: sum(({ missing }) => missing),
      doubled: sum(({ doubled }) => doubled),
      "answered from the first answer": sum(({ replayed }) => replayed),
      "slowest start, ms": Math.max(...outcomes.map(({ slowest }) => slowest.startMs)),
      "slowest resume after it, ms": Math.max(...outcomes.map(({ slowest }) => slowest.resumeMs)),
    });
    for (const outcome of outcomes) judge(outcome);
  },
);

function judge(outcome: KillOutcome): void {
  const { sent } = outcome;
  expect(outcome).toMatchObject({
    once: sent,
    missing: 0,
    doubled: 0,
    strangers: 0,
    writes: sent,
    refused: 0,
    receiptsAgree: true,
    completedRows: sent,
    problemRows: 0,
  });
  expect(outcome.slowest.resumeMs).toBeLessThan(10_000);
}
