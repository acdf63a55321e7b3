import { expect, test } from "vitest";
import { isCompanyAdmin } from "#features/companies/rules.ts";

test("RL-01 everyone is admin of a company that has no admin set", () => {
  expect(isCompanyAdmin({ adminId: null }, "u-1")).toBe(true);
});

test("RL-02 the company's admin is the one whose e-mail it carries", () => {
  expect(isCompanyAdmin({ adminId: "u-1" }, "u-1")).toBe(true);
});

test("RL-03 nobody else is its admin", () => {
  expect(isCompanyAdmin({ adminId: "u-1" }, "u-2")).toBe(false);
});
