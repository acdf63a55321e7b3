import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Ids } from "#platform/ids.ts";
import { inTrace, newTraceId, readTraceId, type Trace } from "#platform/trace.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace | null;
  }
}

/** Puts each request under its caller's trace, or a new one; its support id is the answer's X-Request-Id. */
export function traceRequests(app: FastifyInstance, ids: Ids): void {
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("X-Request-Id", request.id);
    const caller = readTraceId(request.headers["traceparent"]?.toString());
    request.trace = { traceId: caller ?? newTraceId(ids), reqId: request.id };
    inTrace(request.trace, done);
  });
  // The events of a body and of a sent answer belong to the socket and not to the request.
  app.addHook("preValidation", (request, _reply, done) => enter(request, done));
  app.addHook("onResponse", (request, _reply, done) => enter(request, done));
}

const enter = ({ trace }: FastifyRequest, done: () => void): void => (trace ? inTrace(trace, done) : done());
