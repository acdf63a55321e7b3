import cookie from "@fastify/cookie";
import compress from "@fastify/compress";
import multipart from "@fastify/multipart";
import { fastify, type FastifyInstance } from "fastify";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { answerProblems } from "#platform/http/problem.ts";
import { setSecurityHeaders } from "#platform/http/security-headers.ts";

/** Largest JSON or form body; workbooks have their own limit at their endpoint. */
const BODY_LIMIT = 1024 * 1024;

/**
 * An HTTP server with what every answer needs: request id, security headers, problem documents, cookies.
 * @param options.https whether people reach us by https (behind a proxy or not)
 */
export async function createHttpServer(options: {
  log: Log;
  ids: Ids;
  https: boolean;
}): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    bodyLimit: BODY_LIMIT,
    genReqId: () => options.ids.uuid(),
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance;
  // Any site's form can send plain text without asking us first; our own pages never do.
  app.removeContentTypeParser("text/plain");
  setSecurityHeaders(app, options);
  answerProblems(app);
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("X-Request-Id", request.id);
    done();
  });
  await app.register(cookie);
  await app.register(compress, {
    threshold: 1024,
    encodings: ["br", "gzip"],
    brotliOptions: { params: { 1: 4 } },
  });
  await app.register(multipart, { throwFileSizeLimit: false });
  return app;
}
