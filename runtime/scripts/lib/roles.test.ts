import { expect, test } from "vitest";
import { servesPages } from "./roles.mjs";

test.each([
  [{}, "", true],
  [{ ROLES: "web" }, "", true],
  [{ ROLES: "web,worker" }, "", true],
  [{ ROLES: "worker" }, "", false],
  [{}, "PORT=3000\nROLES=worker\n", false],
  [{ ROLES: "web" }, "ROLES=worker\n", true],
  [{ ROLES: "worker" }, "ROLES=web\n", false],
])("a worker process builds no pages: %j with .env %j builds them: %s", (environment, dotEnv, builds) => {
  expect(servesPages(environment, dotEnv)).toBe(builds);
});
