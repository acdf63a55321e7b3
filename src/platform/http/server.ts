import type { Socket } from "node:net";
import cookie from "@fastify/cookie";
import multipart from "@fastify/multipart";
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { badRequest, unreadableAddress } from "#platform/errors.ts";
import type { Clock } from "#platform/clock.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { compressAnswers } from "#platform/http/compress-answers.ts";
import { cutSlowBodies } from "#platform/http/cut-slow-bodies.ts";
import { countChanges } from "#platform/http/finish-changes.ts";
import { HTTP_LIMITS, type HttpLimits } from "#platform/http/limits.ts";
import { answerProblems, sendProblem, type OnFailure } from "#platform/http/problem.ts";
import { readJsonBodies } from "#platform/http/read-json-bodies.ts";
import { answerUnreadable } from "#platform/http/answer-unreadable.ts";
import { requireSameOrigin } from "#platform/http/same-origin.ts";
import { traceRequests } from "#platform/http/trace-requests.ts";
import { setSecurityHeaders, writeSecurityHeaders } from "#platform/http/security-headers.ts";

/** Calls of one connection that wait for their answers. Browsers, proxies and programs send the next call after the answer. */
const MAX_UNANSWERED = 10;

/** Maximum JSON or form body; workbooks have their own limit at their endpoint. */
const BODY_LIMIT = 1024 * 1024;

/**
 * Creates an HTTP server with everything a call needs: request id, proof of origin, security headers, problem
 * documents, cookies.
 * @param options.https whether users reach us by https (behind a proxy or not)
 * @param options.proxies number of proxies in front of us that report their client in X-Forwarded-For
 */
export async function createHttpServer(options: {
  clock: Clock;
  log: Log;
  ids: Ids;
  https: boolean;
  proxies: number;
  /** Origins of the payment provider that pages contact. */
  paymentOrigins?: readonly string[];
  /** Whether a script of our pages makes workers from texts. */
  hasBlobWorkers?: boolean;
  limits?: HttpLimits;
  onFailure?: OnFailure;
}): Promise<FastifyInstance> {
  const limits = options.limits ?? HTTP_LIMITS;
  const dropPipelined = createDropPipelined();
  const app = fastify({
    loggerInstance: options.log,
    bodyLimit: BODY_LIMIT,
    genReqId: () => options.ids.uuid(),
    forceCloseConnections: true,
    keepAliveTimeout: limits.keepAliveMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkConnectionsMs },
    // A count, not "true": entries beyond the proxies' own can be forged by a caller.
    trustProxy: (_address, hop) => hop < options.proxies,
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerUnreadable(options.ids, options),
    // Malformed addresses reach neither routes nor hooks.
    frameworkErrors: (_error, request, reply) => {
      if (dropPipelined(request, reply)) return;
      writeSecurityHeaders(reply, options);
      void reply.header("X-Request-Id", request.id);
      sendProblem(reply, request, unreadableAddress());
    },
    routerOptions: { ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance;
  // Any site's form can send plain text without a preflight; our own pages never do.
  app.removeContentTypeParser("text/plain");
  // Before all that names or counts a caller.
  app.addHook("onRequest", (request, reply, done) => void (dropPipelined(request, reply) || done()));
  dropWhoLeft(app);
  readJsonBodies(app);
  setSecurityHeaders(app, options);
  answerProblems(app, options.onFailure);
  traceRequests(app, options.ids);
  logAnswers(app);
  requireOneHost(app);
  // Before all that refuses, so that the session of a refused call is known.
  await app.register(cookie);
  requireSameOrigin(app, options);
  countChanges(app);
  cutSlowBodies(app, options.clock, limits.slowestBody);
  compressAnswers(app);
  await app.register(multipart, { throwFileSizeLimit: false });
  dropUnreadForms(app);
  return app;
}

/**
 * Reads no more of a form once its call is answered: its parser would go on behind a refusal, and a form of a million parts
 * keeps it busy for seconds.
 */
function dropUnreadForms(app: FastifyInstance): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.isMultipart()) request.raw.unpipe().resume();
    done(null, payload);
  });
}

/**
 * Creates what closes a connection that sends calls and takes no answers: all calls that have arrived begin at once, and thousands
 * of them keep everyone else waiting.
 * @returns whether the call is dropped
 */
function createDropPipelined() {
  const unanswered = new WeakMap<Socket, number>();
  return ({ raw: { socket }, log }: FastifyRequest, reply: FastifyReply): boolean => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    reply.raw.once("close", () => void unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (count <= MAX_UNANSWERED) return false;
    reply.hijack();
    if (!socket.destroyed) log.info("The connection sent more calls than it took answers and was closed");
    socket.destroy();
    return true;
  };
}

/**
 * Drops a call whose connection was reset before it was read: it has no address to count, and no answer can reach it. Reading
 * the address here also keeps it, because Node cannot read it of a closed connection.
 */
function dropWhoLeft(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw, log }, reply, done) => {
    if (raw.socket.remoteAddress !== undefined) return done();
    log.info("The caller left before the call began");
    reply.hijack();
    raw.destroy();
  });
}

/** Refuses several Host headers: a proxy in front of us may have read a different one. */
function requireOneHost(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { rawHeaders } = request.raw;
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
    if (hosts.length <= 1) return done();
    done(badRequest("several_hosts", "The request has more than one Host header. Send one."));
  });
}

/** Logs our own line instead of the library's, which includes the query with its sign-in codes. */
function logAnswers(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const [path] = request.url.split("?");
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, "Answered");
    done();
  });
}
