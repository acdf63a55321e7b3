import { expect, test } from "vitest";
import { runKills } from "./kill-run.ts";

test.each(["numbered", "unnumbered"] as const)(
  "killed three times amid an upload of 200 invoices (%s), the books hold each exactly once",
  { timeout: 120_000 },
  async (numbering) => {
    const outcome = await runKills({ invoices: 200, kills: 3, seed: 7 }, numbering);
    expect(outcome).toMatchObject({ inBooks: 200, distinct: 200, completedRows: 200, problemRows: 0 });
    expect(outcome.cents).toBe(outcome.expectedCents);
    expect(outcome.slowestResumeMs).toBeLessThan(10_000);
  },
);
