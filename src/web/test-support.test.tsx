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
const judge = (path: string, answer: Answer) => findFaults(ENDPOINTS, asked(path), answer);

test("AP-35 the test server of pages refuses answers that do not match an endpoint: a wrong shape, path or problem is named", () => {
  expect(judge("/api/v1/user", { json: owner() })).toEqual([]);
  expect(judge("/api/v1/user", problem(401, "Sign in."))).toEqual([]);
  expect(judge("/api/v1/user", { json: { ...owner(), groups: "admin" } })).toEqual([
    expect.stringMatching(/^GET \/api\/v1\/user: groups /),
  ]);
  expect(judge("/api/v1/user", { status: 500, json: { message: "Broken." } })).toContainEqual(
    expect.stringMatching(/^GET \/api\/v1\/user: detail /),
  );
  expect(judge("/api/v1/people", { json: {} })).toEqual(["GET /api/v1/people is no endpoint"]);
});
