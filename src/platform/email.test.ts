import { expect, test } from "vitest";
import { foldEmail, isPlainEmail } from "#platform/email.ts";

test("RL-04 e-mails are trimmed and folded from A to Z only", () => {
  expect(foldEmail("  Clerk@ACME.example ")).toBe("clerk@acme.example");
  expect(foldEmail("cler\u212A@acme.example")).toBe("cler\u212A@acme.example");
});

test.each([
  ["clerk@acme.example", true],
  ["o'neil+a&b@acme.example", true],
  ["josé@acme.example", true],
  ["cler\u212A@acme.example", false],
  ["cle\uFF52k@acme.example", false],
  ["\u017Fam@acme.example", false],
  ["clerk", false],
  ["clerk@", false],
  ["a@b@acme.example", false],
  ["clerk @acme.example", false],
])("an e-mail that identifies a user has no look-alike letters: %j", (email, isPlain) => {
  expect(isPlainEmail(email)).toBe(isPlain);
});
