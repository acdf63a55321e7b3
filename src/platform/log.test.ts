import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

/** Content of one line of the log. */
function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).warn(fields, "It failed");
  return JSON.parse(lines[0] ?? "{}") as Record<string, unknown>;
}

test("the code and kind of an error can be read, and those of its cause too", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("lost", { cause }), { code: "57P01", kind: "system", status: 503 });
  expect(logged({ err: error })["err"]).toMatchObject({
    message: "lost",
    code: "57P01",
    kind: "system",
    status: 503,
    cause: { message: "refused", code: "ECONNREFUSED" },
  });
});

test("a one-time code, a token and a cookie cannot be read, wherever they are", () => {
  const secrets = { code: "oauth-code", refresh_token: "RT1-1", cookie: "session" };
  expect(JSON.stringify(logged({ ...secrets, body: secrets }))).not.toMatch(/oauth-code|RT1-1|session/);
});

test.each([
  [
    "the password of a database's address",
    "connect to postgres://me:hunter2@host:5432/books failed",
    "hunter2",
  ],
  ["an access token", "401 for Authorization: Bearer eyJhbGciOi.J9-x_y", "eyJhbGciOi"],
  ["a sealing key", `k1:${KEY} is no key`, KEY],
  ["a token in an address", "GET /x?refresh_token=RT1-77-abc&a=b", "RT1-77"],
])("%s cannot be read in an error's message, stack, properties or cause", (_what, text, secret) => {
  const error = Object.assign(new Error(text, { cause: new Error(text) }), {
    input: text,
    more: { list: [text] },
  });
  const line = JSON.stringify(logged({ err: error }));
  expect(line).not.toContain(secret);
  expect(line).toContain("[secret]");
});
