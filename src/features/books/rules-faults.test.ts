import { expect, test } from "vitest";
import { toEvidence } from "#features/books/rules-faults.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";

const refuse = (...elements: string[]) => {
  const faults = elements.map((element) => ({
    code: "2020",
    element,
    message: "Required param missing",
    detail: "",
    type: "ValidationFault",
  }));
  return toEvidence(new IntuitError({ kind: "validation", http: 400, faults }), []);
};

test("a refusal keeps the first property that Intuit names, if it names any", () => {
  expect(refuse("", "DueDate", "TxnDate")).toMatchObject({
    kind: "refused",
    cause: { code: "refused", params: { element: "DueDate" } },
  });
  expect(refuse("")).toMatchObject({
    cause: { params: expect.not.objectContaining({ element: "" }) as object },
  });
});
