import { expect, test } from "vitest";
import { isEmailList, plainEmails } from "./emails.ts";

test.each([
  ["a@b.co; c@d.co", "a@b.co, c@d.co"],
  ["a@b.co,c@d.co", "a@b.co, c@d.co"],
  ["a@b.co;", "a@b.co"],
  ["a@b.co\nc@d.co", "a@b.co, c@d.co"],
  ["a@b.co c@d.co", "a@b.co, c@d.co"],
  ["a@b.co / c@d.co", "a@b.co, c@d.co"],
  ["Ann <a@b.co>", "a@b.co"],
  ["Lee, Ann <a@b.co>; c@d.co", "a@b.co, c@d.co"],
  ['"Lee; Ann" <a@b.co>', "a@b.co"],
  ["mailto:a@b.co?subject=Hi", "a@b.co"],
  ["a@b.co, A@B.co", "a@b.co"],
])("the e-mail list %j is sent as %j", (text, list) => {
  expect(plainEmails(text)).toBe(list);
  expect(isEmailList(list)).toBe(true);
});

test.each(["bob", "a@b.co; bob", "bob; a@b.co", "Ann a@b.co", "a@b", ";"])(
  "the e-mail list %j is refused: part of it is not an address",
  (text) => {
    expect(plainEmails(text)).toBe(text);
    expect(isEmailList(text)).toBe(false);
  },
);
