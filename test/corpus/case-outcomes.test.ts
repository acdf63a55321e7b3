import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CASE_OUTCOMES } from "./case-outcomes.ts";
import { invoiceOutcome, labelOutcome } from "./plan-case.ts";

test("every case file has an outcome", () => {
  const files = readdirSync(join(import.meta.dirname, "cases")).toSorted();
  expect(CASE_OUTCOMES.map(([file]) => file).toSorted()).toEqual(files);
});

test.each(CASE_OUTCOMES)("%s: %s", (file, outcome) => {
  const read = /^(?:g|labels)/.test(file) ? labelOutcome : invoiceOutcome;
  expect(read(file).join("; ")).toBe(outcome);
});
