import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { RateLimits } from "#platform/http/rate-limits.ts";

/** A route outside the table of endpoints: it answers with a redirect or a file, and finds out itself who calls. */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  /** Is a step of a sign-in, which has a limit. */
  isSignIn?: true;
  /** Takes what a plain form sends; its fields say nothing. */
  takesForm?: true;
  /** Called by a vendor, who proves by the bytes of the body who it is; those are the request's body. */
  fromVendor?: { maxBytes: number };
};

/** Serves a route that the list of public routes names. */
export type ServeRoute = (
  route: PublicRoute,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

const FORM = "application/x-www-form-urlencoded";

/** Makes the `serveRoute` of an application. */
export function createServeRoute(app: FastifyInstance, limits: RateLimits): ServeRoute {
  return ({ method, path, isSignIn, takesForm, fromVendor }, handler) => {
    const countSignIn = isSignIn ? limits.newSignIn() : null;
    const route = {
      method,
      url: path,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        await countSignIn?.(request, null);
        return handler(request, reply);
      },
    };
    if (fromVendor) return serveVendor(app, { ...route, bodyLimit: fromVendor.maxBytes });
    if (!takesForm) return void app.route(route);
    // In a scope of its own, because no other route takes what a form sends.
    // Asynchronous, so that an undeclared route refuses the start instead of ending the process.
    app.register(async (scope) => {
      scope.addContentTypeParser(FORM, { parseAs: "string" }, (_request, _body, parsed) => parsed(null));
      scope.route(route);
    });
  };
}

/** In a scope of its own, because every other route takes parsed bodies of our own pages. */
function serveVendor(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.route({ ...route, config: { fromVendor: true } });
  });
}
