// @vitest-environment jsdom
import { ApiError } from "#web/kit/api-error.ts";
import { classifyError } from "#web/kit/report-rules.ts";
import { expect, test } from "vitest";

const ORIGIN = "https://dockside.example";
const OWN = `${ORIGIN}/assets/page-abcdefgh.js`;

/** An error thrown in files, the thrower first. */
function errorIn(files: readonly string[], message = "it failed") {
  const error = new Error(message);
  error.stack = [`Error: ${message}`, ...files.map((file) => `    at run (${file}:1:2)`)].join("\n");
  return error;
}

const answer = (status: number | null, message = "refused") => {
  const error = new ApiError({ message, status, code: null, requestId: null });
  error.stack = errorIn([OWN]).stack ?? "";
  return error;
};

const classify = (error: unknown) => classifyError(error, ORIGIN);

test("an error in our own code is reported", () => {
  expect([
    classify(errorIn([OWN])),
    classify(answer(500)),
    classify(answer(null, "timeout exceeded")),
  ]).toEqual(["report", "report", "report"]);
});

test("RP-01 RP-02 RP-03 a payment script that does not load and a lost connection are ignored", () => {
  for (const text of ["Failed to load Stripe.js", "Stripe.js not available", "Network Error"])
    expect(classify(errorIn([OWN], text)), text).toBe("ignore");
});

test("RP-04 RP-05 refusals from 400 to 421 stay in the console, and 429 is ignored", () => {
  const verdicts = [399, 400, 401, 421, 422, 428, 429, 430, 500].map((status) => [
    status,
    classify(answer(status)),
  ]);
  expect(verdicts).toEqual([
    [399, "report"],
    [400, "console"],
    [401, "console"],
    [421, "console"],
    [422, "report"],
    [428, "report"],
    [429, "ignore"],
    [430, "report"],
    [500, "report"],
  ]);
});

test("RP-06 errors of browser extensions are ignored, even if our code is among the callers", () => {
  for (const scheme of ["chrome", "moz", "safari", "safari-web", "ms-browser"])
    expect(classify(errorIn([`${scheme}-extension://abc/content.js`, OWN])), scheme).toBe("ignore");
});

test("RP-07 errors without a frame of our own code are ignored", () => {
  expect(classify(errorIn([]))).toBe("ignore");
  expect(classify(errorIn(["https://js.stripe.com/v3/", `${ORIGIN}/app/`]))).toBe("ignore");
  expect(classify(errorIn([`https://evil.example/${OWN}`]))).toBe("ignore");
  expect(classify(errorIn(["https://js.stripe.com/v3/", OWN]))).toBe("report");
});

test("RP-11 empty error objects are ignored, others are reported", () => {
  expect([{}, null, undefined, ""].map(classify)).toEqual(["ignore", "ignore", "ignore", "ignore"]);
  expect(classify({ reason: "x" })).toBe("report");
});
