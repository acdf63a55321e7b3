import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { RateLimits } from "#platform/http/rate-limits.ts";

/**
 * A route that is not an endpoint: it answers with a redirect or a file, and identifies the caller itself.
 */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  /** A step of a sign-in, which has a limit. */
  isSignIn?: true;
  /** Accepts a plain form; its fields are ignored. */
  takesForm?: true;
  /** Called by a vendor that signs the raw body, which becomes the request's body. */
  fromVendor?: { maxBytes: number };
  /**
   * Called by our own pages with any type of content; the raw body becomes the request's body. It has a limit, a wider
   * one if an open page calls it all the time.
   */
  fromPage?: { maxBytes: number; isSteady?: true };
};

/** Serves a route from the list of public routes. */
export type ServeRoute = (
  route: PublicRoute,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

const FORM = "application/x-www-form-urlencoded";

/** Creates an application's `serveRoute`. */
export function createServeRoute(app: FastifyInstance, limits: RateLimits): ServeRoute {
  return ({ method, path, isSignIn, takesForm, fromVendor, fromPage }, handler) => {
    const countSignIn = isSignIn ? limits.newSignIn() : null;
    const route = {
      method,
      url: path,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // A call without content has no body at all.
        if (fromVendor ?? fromPage) request.body ??= Buffer.alloc(0);
        countSignIn?.(request, null);
        if (fromPage) (fromPage.isSteady ? limits.steadyReport : limits.report)(request, null);
        return handler(request, reply);
      },
    };
    if (fromVendor) {
      const forgeries = limits.newVendor();
      return serveBytes(app, {
        ...route,
        bodyLimit: fromVendor.maxBytes,
        config: { fromProgram: true },
        onRequest: async (request) => forgeries.refuse(request),
        onResponse: async (request, reply) => forgeries.countAnswer(request, reply),
      });
    }
    if (fromPage) return serveBytes(app, { ...route, bodyLimit: fromPage.maxBytes });
    if (!takesForm) return void app.route(route);
    // In a separate scope, because no other route accepts forms.
    // Asynchronous, so that an undeclared route refuses the start instead of crashing the process.
    app.register(async (scope) => {
      scope.addContentTypeParser(FORM, { parseAs: "string" }, (_request, _body, parsed) => parsed(null));
      scope.route(route);
    });
  };
}

/** In a separate scope, because every other route receives parsed bodies from our own pages. */
function serveBytes(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.route(route);
  });
}
