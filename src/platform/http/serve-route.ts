import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Gate } from "#contract/endpoint.ts";
import { refuseSubresource } from "#platform/http/navigation.ts";
import type { CallerGate } from "#platform/http/gate.ts";

/**
 * A route that is not an endpoint: it answers with a redirect or a file, and identifies the caller itself.
 */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  /** A step of a sign-in, which has a limit. */
  isSignIn?: true;
  /** A GET that changes something: only a browser that goes there may call it, not a picture of a page. */
  isNavigation?: true;
  /** Takes much processor time, so a network may make fewer such calls. */
  isHeavy?: true;
  /** Accepts a plain form; its fields are ignored. */
  takesForm?: true;
  /**
   * Takes content of any type, from a vendor that signs it or from our own pages; the raw body becomes the request's body.
   */
  gate?: Gate;
};

/** Serves a route from the list of public routes. */
export type ServeRoute = (
  route: PublicRoute,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

const FORM = "application/x-www-form-urlencoded";
/** A form of ours has no fields. */
const FORM_GATE: Gate = { of: "guests", maxBytes: 1_000 };

/** Creates an application's `serveRoute`. */
export function createServeRoute(app: FastifyInstance, callers: CallerGate): ServeRoute {
  return ({ method, path, isSignIn, isNavigation, isHeavy, takesForm, gate: declared }, handler) => {
    const countSignIn = isSignIn ? callers.counts.newSignIn() : null;
    const gate = takesForm ? FORM_GATE : declared;
    const route: RouteOptions = {
      method,
      url: path,
      ...(gate && { bodyLimit: gate.maxBytes, config: { gate, ...(gate.of === "vendors" && PROGRAM) } }),
      onRequest: (request, _reply, done) => {
        if (isNavigation) refuseSubresource(request);
        if (gate || isHeavy) callers.enter(request, null, gate?.of);
        if (isHeavy) callers.counts.heavyCall(callers.nameCaller(request, null));
        countSignIn?.(callers.nameCaller(request, null));
        done();
      },
      handler: async (request, reply) => {
        // A call without content has no body at all.
        if (declared) request.body ??= Buffer.alloc(0);
        return handler(request, reply);
      },
    };
    if (declared) return serveBytes(app, route);
    if (!takesForm) return void app.route(route);
    // In a separate scope, because no other route accepts forms.
    // Asynchronous, so that an undeclared route refuses the start instead of crashing the process.
    app.register(async (scope) => {
      scope.addContentTypeParser(FORM, { parseAs: "string" }, (_request, _body, parsed) => parsed(null));
      scope.route(route);
    });
  };
}

const PROGRAM = { fromProgram: true } as const;

/** In a separate scope, because every other route receives parsed bodies from our own pages. */
function serveBytes(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.route(route);
  });
}
