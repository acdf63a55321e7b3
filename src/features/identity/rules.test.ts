import { expect, test } from "vitest";
import { configuredGroups, landingPath, safeNextPath } from "#features/identity/rules.ts";

test.each([
  ["/app/", "/app/"],
  ["/label/?ups=1", "/label/?ups=1"],
  ["/settings/?section=users#top", "/settings/?section=users#top"],
  ["/a/../settings/", "/settings/"],
])("LG-02 a path of this site is followed: %s", (next, path) => {
  expect(safeNextPath(next)).toBe(path);
});

test.each([
  undefined,
  "",
  "app",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example/",
  "https:evil.example",
  "javascript:alert(1)",
  "/\tevil",
  "/\n/evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "@evil.example",
  "/app/\u0000",
])("LG-02 anything else than a path of this site is not followed: %j", (next) => {
  expect(safeNextPath(next)).toBeNull();
});

test("LG-03 without a requested page users arrive at Invoices, else Labels, else Settings", () => {
  expect(landingPath(["app", "brainchild"])).toBe("/app/");
  expect(landingPath(["brainchild"])).toBe("/label/");
  expect(landingPath([])).toBe("/settings/");
});

test("LG-05 groups of a new user come from the configuration, by e-mail or for everyone", () => {
  const members = { app: ["*"], brainchild: ["a@b.example"], admin: [] };
  expect(configuredGroups("a@b.example", members)).toEqual(["app", "brainchild"]);
  expect(configuredGroups("c@b.example", members)).toEqual(["app"]);
});
