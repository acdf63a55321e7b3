import { errorText } from "#web/kit/api-error.ts";
import { expect, test } from "vitest";

test("ER-20 the server's detail is shown when it is a string", () => {
  expect(errorText({ detail: "Choose another file.", title: "Bad" }, "m")).toBe("Choose another file.");
});

test("ER-21 any other detail, or a body without one, is shown as JSON", () => {
  expect(errorText({ detail: { row: 3 } }, "m")).toBe('{"row":3}');
  expect(errorText({ title: "Bad" }, "m")).toBe('{"title":"Bad"}');
  expect(errorText(["a"], "m")).toBe('["a"]');
});

test("ER-22 without a body the error's own message is shown", () => {
  expect([undefined, null, ""].map((body) => errorText(body, "Network Error"))).toEqual(
    Array(3).fill("Network Error"),
  );
});

test("a plain-text body is shown as it is", () => {
  expect(errorText("Too many requests", "m")).toBe("Too many requests");
});
