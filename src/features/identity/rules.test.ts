import { expect, test } from "vitest";
import { configuredGroups, landingPath, safeNextPath, safeWorkPath } from "#features/identity/rules.ts";

test.each([
  ["/app/", "/app/"],
  ["/label/?ups=1", "/label/?ups=1"],
  ["/settings/?section=users#top", "/settings/?section=users#top"],
  ["/a/../settings/", "/settings/"],
])("LG-02 a path on this site is followed: %s", (next, path) => {
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
  "/logout/",
  "/logout",
  "/app/../logout/",
  "/%6Cogout/?x=1",
  "/logout/confirm",
  "/%E0%A4%A",
  // A response in Intuit's name that another site made up.
  "/oauth/intuit/callback?state=x&code=y",
  "/%6Fauth/intuit/callback",
  "/app/../oauth/intuit/callback",
  "/api/v1/me",
])("LG-02 anything other than a path on this site is not followed: %j", (next) => {
  expect(safeNextPath(next)).toBeNull();
});

test.each([
  ["/app", "/app"],
  ["/app/?connected=1", "/app/?connected=1"],
  ["/settings#top", "/settings#top"],
  ["/add-in/x", "/add-in/x"],
  ["/apple", null],
  ["/apple/app", null],
  ["/labels/", null],
  ["/get-app/", null],
  ["//evil.example/app", null],
])("GA-02 after connecting, users return only to work pages: %s", (next, path) => {
  expect(safeWorkPath(next)).toBe(path);
});

test("LG-03 without a requested page users arrive at Invoices, else Labels, else Settings", () => {
  expect(landingPath(["app", "brainchild"])).toBe("/app/");
  expect(landingPath([])).toBe("/settings/");
});

test("LG-05 groups of a new user come from the configuration, by e-mail or for everyone", () => {
  const members = { app: ["*"], brainchild: ["a@b.example"], admin: [] };
  expect(configuredGroups("a@b.example", members)).toEqual(["app", "brainchild"]);
  expect(configuredGroups("c@b.example", members)).toEqual(["app"]);
});
