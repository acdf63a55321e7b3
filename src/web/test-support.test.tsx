import { expect, test } from "vitest";
import { findFaults, owner, problem, type Answer } from "#web/test-support.tsx";
import { ENDPOINTS } from "../main/endpoints.ts";

const asked = (path: string) => ({
  method: "GET",
  url: new URL(path, "http://test"),
  realm: null,
  trace: "",
  body: "",
});
const findFaultsIn = (path: string, answer: Answer) => findFaults(ENDPOINTS, asked(path), answer);

test("AP-35 the test server of pages refuses answers that do not match an endpoint: a wrong shape, path or problem is named", () => {
  expect(findFaultsIn("/api/v1/user", { json: owner() })).toEqual([]);
  expect(findFaultsIn("/api/v1/user", problem(401, "Sign in."))).toEqual([]);
  expect(findFaultsIn("/api/v1/user", { json: { ...owner(), groups: "admin" } })).toEqual([
    expect.stringMatching(/^GET \/api\/v1\/user: groups /),
  ]);
  expect(findFaultsIn("/api/v1/user", { status: 500, json: { message: "Broken." } })).toContainEqual(
    expect.stringMatching(/^GET \/api\/v1\/user: detail /),
  );
  expect(findFaultsIn("/api/v1/people", { json: {} })).toEqual(["GET /api/v1/people isn't an endpoint"]);
});
