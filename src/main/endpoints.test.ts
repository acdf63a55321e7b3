import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ENDPOINTS } from "./endpoints.ts";
import { OPENAPI_FILE, openApiText } from "../../test/support/print-openapi.ts";

test("the printed API description is the one that the server mounts", async () => {
  expect(await readFile(OPENAPI_FILE, "utf8")).toBe(openApiText());
});

test("no two endpoints share a method and a path", () => {
  const names = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test("GEN-12 every call of the product is described with its successful answer and its problem document", () => {
  type Operation = { responses: Record<string, { content: Record<string, { schema?: object }> }> };
  const { paths } = JSON.parse(openApiText()) as { paths: Record<string, Record<string, Operation>> };
  for (const { method, path, status = 200, accepted } of ENDPOINTS) {
    const name = `${method} ${path}`;
    const responses = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.responses ?? {};
    const goods = accepted ? [String(status), "202"] : [String(status)];
    expect(Object.keys(responses), name).toEqual([...goods, "429", "default"]);
    for (const good of goods) {
      const [content] = Object.values(responses[good]?.content ?? {});
      expect(content?.schema, name).toBeDefined();
    }
    for (const refusal of ["429", "default"])
      expect(responses[refusal]?.content, `${name} ${refusal}`).toEqual({
        "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
      });
  }
});
