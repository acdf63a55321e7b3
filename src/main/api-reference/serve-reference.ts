import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import { drawPage } from "./page.ts";
import { readCalls, type OpenApi } from "./read-calls.ts";

const FILE = join(import.meta.dirname, "../../../docs/openapi.json");

/**
 * Serves the description of all calls: as OpenAPI 3.1 for programs, and as a page for users, with a search. Both are public.
 * @param publicUrl address of this installation, for the examples
 */
export function referenceRoutes(
  serveRoute: ServeRoute,
  { product, publicUrl }: { product: string; publicUrl: string },
): void {
  let reading: ReturnType<typeof readDescription> | null = null;
  const read = () => (reading ??= readDescription());

  serveRoute({ method: "GET", path: "/api/openapi.json", isHeavy: true }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send((await read()).text),
  );

  serveRoute({ method: "GET", path: "/api/", isHeavy: true }, async (request, reply) => {
    const { calls, problem } = await read();
    const { searchParams } = new URL(request.url, publicUrl);
    const page = drawPage(calls, {
      product,
      origin: publicUrl,
      search: { text: searchParams.get("q") ?? "", keysOnly: searchParams.get("keys") === "1" },
      nonce: reply.styleNonce,
      problem,
    });
    return reply.type("text/html; charset=utf-8").send(page);
  });
}

async function readDescription() {
  const text = await readFile(FILE, "utf8");
  // The check compares the document with the endpoints, so it has this shape.
  const document = JSON.parse(text) as OpenApi;
  return { text, calls: readCalls(document), problem: document.components.schemas["Problem"] ?? {} };
}
