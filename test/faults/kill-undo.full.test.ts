import { expect, test } from "vitest";
import type { UndoAction } from "#features/invoices/contract.ts";
import { runUndoKills, type UndoKillOutcome } from "./kill-undo-run.ts";
import { battery, printCounts } from "./support/battery.ts";
import { killInPlaces, sumOfKills } from "./support/kills.ts";

const run = battery({ short: 1, long: 200 });

// The database alone is killed in kill.full.test.ts, and in the long form.
test.runIf(!run.isLong).each([
  { action: "delete", victims: ["product"] },
  { action: "void", victims: ["both"] },
] as const)(
  "killed during an undo of 60 invoices ($action; $victims), each is removed from the books exactly once",
  { timeout: run.timeout },
  async ({ action, victims }) => {
    const kills = { kills: run.times, seed: run.seed, victims, longestMs: 900 };
    expectUndone(await runUndoKills({ ...kills, invoices: 60, action }, "numbered"), action);
  },
);

test.runIf(run.isLong)(
  `killed ${run.times} times during undos of 1,000 invoices, each is removed from the books exactly once`,
  { timeout: run.timeout },
  async () => {
    const chooseAction = (index: number): UndoAction => (index % 2 === 0 ? "delete" : "void");
    const checks: (() => void)[] = [];
    const outcomes = await killInPlaces(run, "kill-undo", async (kills, index) => {
      const action = chooseAction(index);
      const numbering = index % 4 < 2 ? "numbered" : "unnumbered";
      const outcome = await runUndoKills({ ...kills, invoices: 1_000, action }, numbering);
      checks.push(() => expectUndone(outcome, action));
      return outcome;
    });
    const sum = (of: (outcome: UndoKillOutcome) => number) =>
      outcomes.reduce((total, outcome) => total + of(outcome), 0);
    printCounts(run, "kill-undo", {
      ...sumOfKills(outcomes),
      posted: sum(({ sent }) => sent),
      "undone in the books": sum(({ undone }) => undone),
      "still owed": sum(({ owed }) => owed),
      "left open in the ledger": sum(({ openEntries }) => openEntries),
      "answered from the first answer": sum(({ replayed }) => replayed),
      refused: sum(({ refused }) => refused),
    });
    for (const check of checks) check();
  },
);

function expectUndone(outcome: UndoKillOutcome, action: UndoAction): void {
  const { sent } = outcome;
  expect(outcome).toMatchObject({
    owed: 0,
    voided: action === "void" ? sent : 0,
    undone: sent,
    undoneEntries: sent,
    openEntries: 0,
    undoneRows: sent,
    otherRows: 0,
  });
  expect(outcome.slowest.resumeMs).toBeLessThan(10_000);
}
