import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServeRoute } from "#platform/http/serve-route.ts";

const FILE = join(import.meta.dirname, "../../docs/openapi.json");

/** Serves the description of all calls in OpenAPI 3.1, for programs and for the tools that draw it. It is public. */
export function openApiRoute(serveRoute: ServeRoute): void {
  let text: Promise<Buffer> | null = null;
  serveRoute({ method: "GET", path: "/api/openapi.json" }, async (_request, reply) => {
    text ??= readFile(FILE);
    return reply.type("application/json; charset=utf-8").send(await text);
  });
}
