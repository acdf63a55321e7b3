import { expect, test } from "vitest";
import { ACME, planRows, makeTable } from "#features/invoices/fixtures/plan-rows.ts";
import { packPlan, unpackInvoices } from "#features/invoices/plan/rules-packed.ts";
import { planInSteps } from "#features/invoices/plan/rules-plan.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
const listRows = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    `P-${index}`,
    index % 3 === 0 ? "Nobody’s Café" : "Beta LLC",
    "2026-03-01",
    "Freight",
    10.1,
  ]);

test.each([1, 250, 601])(
  "%i invoices, some with errors, are unpacked exactly as they were packed",
  (count) => {
    const plan = planRows(HEADERS, listRows(count));
    const packed = packPlan(planInSteps(makeTable([HEADERS, ...listRows(count)]), ACME));
    expect([...unpackInvoices(packed)]).toEqual(plan.invoices);
    expect(packed.heads).toEqual(
      plan.invoices.map(({ docNumber, rows, draft }) => ({
        docNumber,
        rows,
        isGood: draft !== null,
        fingerprint: draft ? expect.stringMatching(/^[\w-]{43}$/) : null,
        fileFingerprint: draft ? expect.stringMatching(/^[\w-]{43}$/) : null,
        poNumber: null,
      })),
    );
    expect(new Set(packed.heads.map(({ isGood }) => isGood)).size).toBe(count === 1 ? 1 : 2);
  },
);
