import type { UploadSummary } from "#features/invoices/contract.ts";
import { stepStates } from "#features/invoices/web/first-steps/rules.ts";
import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { expect, test } from "vitest";

const upload = (counts: Partial<UploadSummary["counts"]>): UploadSummary =>
  sampleUpload({ counts: { total: 3, completed: 0, problems: 0, open: 0, ...counts } });
const wrong = upload({ problems: 2, completed: 1 });
const right = upload({ completed: 2 });

test("the steps check themselves off in the order a newcomer takes them", () => {
  const at = (hasCompany: boolean, uploads: UploadSummary[], sawBooks = false) =>
    Object.values(stepStates({ hasCompany, uploads, sawBooks }));
  expect(at(false, [])).toEqual([false, false, false, false]);
  expect(at(true, [])).toEqual([true, false, false, false]);
  expect(at(true, [right])).toEqual([true, false, false, false]);
  expect(at(true, [wrong, right])).toEqual([true, true, false, false]);
  expect(at(true, [right, wrong])).toEqual([true, true, true, false]);
  expect(at(true, [upload({ open: 2, completed: 1 }), wrong])).toEqual([true, true, false, false]);
  expect(at(true, [right, wrong], true)).toEqual([true, true, true, true]);
  const named = (filename: string, summary: UploadSummary) => ({ ...summary, filename });
  const march = named("march.xlsx", wrong);
  expect(at(true, [named("april.xlsx", right), march])).toEqual([true, true, false, false]);
  expect(at(true, [named("fix-march.xlsx", right), named("april.xlsx", right), march])).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
