import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ENDPOINTS } from "./endpoints.ts";
import { OPENAPI_FILE, openApiText } from "./print-openapi.ts";

test("the printed description of the calls is the one the server mounts", async () => {
  expect(await readFile(OPENAPI_FILE, "utf8")).toBe(openApiText());
});

test("no two endpoints share a method and a path", () => {
  const names = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});
