import { expect, test } from "vitest";
import { isCompanyAdmin } from "#features/companies/rules.ts";

test("RL-01 everyone is admin of a company that has no admin set", () => {
  expect(isCompanyAdmin({ adminEmail: null }, "a@b.example")).toBe(true);
});

test("RL-02 the company's admin is the one whose e-mail it carries", () => {
  expect(isCompanyAdmin({ adminEmail: "a@b.example" }, "a@b.example")).toBe(true);
});

test("RL-03 nobody else is its admin", () => {
  expect(isCompanyAdmin({ adminEmail: "a@b.example" }, "c@b.example")).toBe(false);
});
