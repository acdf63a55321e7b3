import { expect, test } from "vitest";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import { startApp } from "../support/start-app.ts";
import { expectProblem, callName } from "./walk-endpoints.ts";

/** Calls of the specification's table that the product answers. */
const PRESENT = [
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
];

/** Calls of the table that do not exist yet; each moves to PRESENT with the feature that brings it. */
const ABSENT = [
  "GET /api/v1/labels/packing-slip/:filename",
  "GET /api/v1/labels/ups-label",
  "DELETE /api/v1/labels/ups-label",
  "GET /api/v1/labels/open-orders",
  "POST /api/v1/labels/ups-label",
  "DELETE /api/v1/labels/open-orders",
];

test("the product answers the calls in the specification's table that its features provide", () => {
  const names = new Set(ENDPOINTS.map(callName));
  expect(PRESENT.filter((name) => !names.has(name))).toEqual([]);
  expect(ABSENT.filter((name) => names.has(name))).toEqual([]);
});

test("a call in the table that does not exist yet says so as a problem document", async () => {
  const app = await startApp({ worker: false });
  for (const name of ABSENT) {
    const [method = "", path = ""] = name.split(" ");
    const response = await fetch(new URL(path.replace(/:\w+/, "slip.pdf"), app.url), {
      method,
      headers: { origin: app.url },
    });
    expect(response.status, name).toBe(404);
    expect(expectProblem(response.headers, await response.text()).code, name).toBe("not_found");
  }
});
