import { expect, test } from "vitest";
import { callName } from "./walk-endpoints.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";

/** Calls of the specification's table that the product answers. */
const CALLS = [
  "GET /api/v1/company",
  "PUT /api/v1/company",
  "POST /api/v1/company/user",
  "DELETE /api/v1/company/user",
  "POST /api/v1/company/connect-ups",
  "GET /api/v1/company/connect-ups",
  "DELETE /api/v1/company/connect-ups",
  "POST /api/v1/invoices",
  "GET /api/v1/invoices",
  "GET /api/v1/stripe/subscriptions",
  "POST /api/v1/stripe/payment-intent",
  "POST /api/v1/stripe/activate",
  "GET /api/v1/stripe/billing",
  "POST /api/v1/labels",
  "GET /api/v1/labels/packing-slip/:filename",
  "GET /api/v1/labels/ups-label",
  "DELETE /api/v1/labels/ups-label",
  "GET /api/v1/labels/open-orders",
  "POST /api/v1/labels/ups-label",
  "DELETE /api/v1/labels/open-orders",
];

test("the product answers all calls in the specification's table", () => {
  const names = new Set(ENDPOINTS.map(callName));
  expect(CALLS.filter((name) => !names.has(name))).toEqual([]);
});
