import { summaryOf, toneOf } from "#features/invoices/web/results/upload-summary.ts";
import { expect, test } from "vitest";

const summary = (counts: Partial<Parameters<typeof summaryOf>[0]["counts"]>) =>
  summaryOf({ counts: { total: 1_200, completed: 0, problems: 0, open: 0, ...counts } });

test.each([
  [{ completed: 9, problems: 1 }, "9 completed, 1 problem"],
  [{ open: 1_100, problems: 3 }, "100 of 1,200 rows done, 3 problems"],
  [{ completed: 1_198, problems: 2 }, "1,198 completed, 2 problems"],
  [{ skipped: 1_200 }, "0 completed, 0 problems, 1,200 sent before"],
  [{ completed: 5, skipped: 3, undone: 1_192 }, "5 completed, 0 problems, 3 sent before, 1,192 undone"],
])("rows are summarised by their outcome: %j reads %s", (counts, text) => {
  expect(summary(counts)).toBe(text);
});

test.each([
  [{ completed: 9, problems: 1 }, "red"],
  [{ open: 1_100, problems: 3 }, "red"],
  [{ open: 1_100 }, "green"],
  [{ completed: 5, skipped: 3 }, "grey"],
  [{ undone: 1_200 }, "blue"],
])("the colour of a summary is that of the rows to look at first: %j is %s", (some, tone) => {
  const counts = { total: 1_200, completed: 0, problems: 0, open: 0, ...some };
  expect(toneOf({ counts })).toBe(tone);
});
