import type { FastifyInstance } from "fastify";

/** What a server may answer: endpoints of the table, and public routes such as "GET /login/" or "GET /assets/*". */
export type DeclaredRoutes = {
  endpoints: readonly { method: string; path: string }[];
  publicRoutes: readonly string[];
};

/**
 * Refuses every route that nobody declared, so that nothing answers beside what is reviewed and walked by the security
 * tests. Call it before anything is mounted.
 * @throws Error, from the registration of the route, that names it
 */
export function refuseUndeclaredRoutes(
  app: FastifyInstance,
  { endpoints, publicRoutes }: DeclaredRoutes,
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
