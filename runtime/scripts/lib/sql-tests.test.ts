import { expect, test } from "vitest";
import { listSqlTests } from "./sql-tests.mjs";

test("the SQL tests are those of stores and runs, and none of pure rules or the browser", () => {
  const tests = listSqlTests();
  expect(tests).toEqual(
    expect.arrayContaining([
      "src/features/invoices/ledger/store.test.ts",
      "src/platform/runs/runs.test.ts",
      "src/platform/outbound/budget.test.ts",
    ]),
  );
  expect(tests.filter((file) => file.startsWith("src/formats/") || file.includes("/web/"))).toEqual([]);
});
