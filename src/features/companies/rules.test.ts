import { expect, test } from "vitest";
import { isCompanyAdmin } from "#features/companies/rules.ts";

test("RL-01 everyone is admin of a company that has no admin set", () => {
  expect(isCompanyAdmin({ adminId: null }, "u-1")).toBe(true);
});

test("RL-02 the user set as the company's admin is its admin", () => {
  expect(isCompanyAdmin({ adminId: "u-1" }, "u-1")).toBe(true);
});

test("RL-03 other users are not its admin", () => {
  expect(isCompanyAdmin({ adminId: "u-1" }, "u-2")).toBe(false);
});
