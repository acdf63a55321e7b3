import { expect, test } from "vitest";
import { hasSameMoney, readAnswer } from "#features/books/rules-answer.ts";
import type { InvoiceDraft } from "#features/books/rules.ts";

const salesLine = (quantity: number, rate: number, amount: number) => ({
  DetailType: "SalesItemLineDetail" as const,
  Amount: amount,
  SalesItemLineDetail: { ItemRef: { value: "3" }, Qty: quantity, UnitPrice: rate },
});
const draft: InvoiceDraft = {
  CustomerRef: { value: "1" },
  TxnDate: "2026-11-02",
  Line: [
    salesLine(2, 19.95, 39.9),
    { DetailType: "DescriptionOnly", Description: "note", DescriptionLineDetail: {} },
    salesLine(3, 0.33333, 1),
  ],
};
const answered = (change: object = {}) => ({
  Id: "7",
  SyncToken: "0",
  DocNumber: "1043",
  DueDate: "2026-12-20",
  TotalAmt: 40.9,
  Line: [...draft.Line, { Amount: 40.9, DetailType: "SubTotalLineDetail", SubTotalLineDetail: {} }],
  ...change,
});
const read = (change?: object) => readAnswer({ draft, amountCents: 4_090 }, answered(change));

test("an answer equal to what was sent has no difference, and keeps number, version and amounts", () => {
  expect(read()).toEqual({
    qboId: "7",
    qboDocNumber: "1043",
    qboTotalCents: 4_090,
    qboTaxCents: 0,
    qboSyncToken: "0",
    qboDueDate: "2026-12-20",
    differences: [],
  });
});

test("tax that QuickBooks adds is not a difference", () => {
  expect(read({ TotalAmt: 44.17, TxnTaxDetail: { TotalTax: 3.27 } })).toMatchObject({
    qboTotalCents: 4_417,
    qboTaxCents: 327,
    differences: [],
  });
});

test("a total, quantity, rate or amount stored differently is reported with both values and its line", () => {
  const Line = [salesLine(1, 19.951, 19.95), salesLine(3, 0.33333, 1)];
  expect(read({ TotalAmt: 20.95, Line }).differences).toEqual([
    { field: "total", line: null, sent: "40.90", answered: "20.95" },
    { field: "quantity", line: 1, sent: "2.00", answered: "1.00" },
    { field: "rate", line: 1, sent: "19.95", answered: "19.951" },
    { field: "amount", line: 1, sent: "39.90", answered: "19.95" },
  ]);
});

test("what QuickBooks leaves out of a line is not a difference; a line it dropped is", () => {
  const bare = { DetailType: "SalesItemLineDetail", Amount: 39.9, SalesItemLineDetail: {} };
  expect(read({ Line: [bare, salesLine(3, 0.33333, 1)] }).differences).toEqual([]);
  expect(read({ Line: [bare] }).differences).toEqual([
    { field: "lines", line: null, sent: "2", answered: "1" },
  ]);
});

test("anything but amounts that QuickBooks drops is reported by name, and the amounts are unaffected", () => {
  const [, ...others] = draft.Line;
  const sent: InvoiceDraft = {
    ...draft,
    ShipMethodRef: { value: "UPS", name: "UPS" },
    TrackingNum: "1Z999",
    CustomField: [{ DefinitionId: "2", Name: "PO #", Type: "StringType", StringValue: "00123" }],
    DepartmentRef: { value: "40", name: "Austin" },
    Line: [
      {
        ...salesLine(2, 19.95, 39.9),
        SalesItemLineDetail: {
          ItemRef: { value: "3" },
          ServiceDate: "2026-11-01",
          ClassRef: { value: "30" },
        },
      },
      ...others,
    ],
  };
  const otherFields = [
    { DefinitionId: "1", StringValue: "Crew 7" },
    { DefinitionId: "3", StringValue: "00123" },
  ];
  const answerWith = (po: object[]) =>
    readAnswer(
      { draft: sent, amountCents: 4_090 },
      answered({
        ShipMethodRef: { value: "UPS" },
        TrackingNum: "1Z99",
        DepartmentRef: { value: "40" },
        CustomField: [...otherFields, ...po],
      }),
    );
  const answer = answerWith([{ DefinitionId: "2", Name: "Renamed", StringValue: null }]);
  const kept = answerWith([{ DefinitionId: "2", Name: "Renamed", StringValue: "00123" }]);
  expect(kept.differences).toEqual(answer.differences.filter(({ field }) => field !== "po_number"));
  expect(answerWith([{ DefinitionId: "2", StringValue: "123" }]).differences).toContainEqual({
    field: "po_number",
    line: null,
    sent: "00123",
    answered: "123",
  });
  expect(answerWith([]).differences).toEqual(answer.differences);
  expect(answer.differences).toEqual([
    { field: "tracking_no", line: null, sent: "1Z999", answered: "1Z99" },
    { field: "po_number", line: null, sent: "00123", answered: "" },
    { field: "service_date", line: 1, sent: "2026-11-01", answered: "" },
    { field: "class", line: 1, sent: "30", answered: "" },
  ]);
  expect(hasSameMoney(answer)).toBe(true);
  expect(hasSameMoney(read({ TotalAmt: 20 }))).toBe(false);
});
