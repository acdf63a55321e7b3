import type { FastifyInstance } from "fastify";
import type { Endpoint } from "#contract/endpoint.ts";

/**
 * Refuses every undeclared route, so that only reviewed routes, which the security tests cover, can answer.
 * Call it before anything is mounted.
 * @param options.publicRoutes such as "GET /login/" or "GET /assets/*"
 * @throws Error that names the route, at its registration
 */
export function refuseUndeclaredRoutes(
  app: FastifyInstance,
  { endpoints, publicRoutes }: { endpoints: readonly Endpoint[]; publicRoutes: readonly string[] },
): void {
  const declared = new Set([...publicRoutes, ...endpoints.map(({ method, path }) => `${method} ${path}`)]);
  const folders = publicRoutes.filter((route) => route.endsWith("/*")).map((route) => route.slice(0, -1));
  const isDeclared = (route: string) =>
    declared.has(route) || folders.some((folder) => route.startsWith(folder));
  app.addHook("onRoute", ({ method, url }) => {
    for (const name of [method].flat()) {
      // The library adds HEAD to each GET by itself.
      const route = `${name === "HEAD" ? "GET" : name} ${url}`;
      if (!isDeclared(route))
        throw new Error(
          `${route} is in neither the table of endpoints nor the list of public routes. Declare it before mounting it.`,
        );
    }
  });
}
