import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ACCEPTED_OUTCOMES, CASE_OUTCOMES } from "./case-outcomes.ts";
import { acceptedOutcome, invoiceOutcome, labelOutcome } from "./plan-case.ts";

test("every case file has an outcome", () => {
  const files = readdirSync(join(import.meta.dirname, "cases")).toSorted();
  expect(CASE_OUTCOMES.map(([file]) => file).toSorted()).toEqual(files);
});

test.each(CASE_OUTCOMES)("%s: %s", (file, outcome) => {
  const read = /^(?:g|labels)/.test(file) ? labelOutcome : invoiceOutcome;
  expect(read(file).join("; ")).toBe(outcome);
});

test.each(ACCEPTED_OUTCOMES)(
  "SH-06 SH-08 %s, when a user continues on the page of questions: %s",
  (file, outcome) => {
    expect(acceptedOutcome(file).join("; ")).toBe(outcome);
  },
);
