import { summaryOf } from "#features/invoices/web/results/upload-summary.ts";
import { expect, test } from "vitest";

const summary = (counts: Partial<Parameters<typeof summaryOf>[0]["counts"]>) =>
  summaryOf({
    id: "0199f000-0000-7000-8000-000000000001",
    filename: "march.xlsx",
    timestamp: "2027-01-05T10:00:00.000Z",
    results: [],
    result_count: 0,
    counts: { total: 1_200, completed: 0, problems: 0, open: 0, ...counts },
  });

test.each([
  [{ open: 1_100, problems: 3 }, "100 of 1,200 rows done, 3 problems"],
  [{ completed: 1_198, problems: 2 }, "1,198 completed, 2 problems"],
  [{ skipped: 1_200 }, "0 completed, 0 problems, 1,200 sent before"],
  [{ completed: 5, skipped: 3, undone: 1_192 }, "5 completed, 0 problems, 3 sent before, 1,192 undone"],
])("rows are told by their fate: %j reads %s", (counts, text) => {
  expect(summary(counts)).toBe(text);
});
