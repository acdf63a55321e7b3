import { STATUS_CODES } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PROBLEM_MEDIA_TYPE, type Problem } from "#contract/problem.ts";
import { chooseLevel, isAway, isUnavailable } from "#platform/db/failure.ts";
import { AppError, badRequest } from "#platform/errors.ts";

/** Errors of the form parser if a form is truncated or its sender disconnects. */
const CUT_FORM = /unexpected end of multipart data/i;

/** Called with each failure that is our fault. @param place method and route of the request */
export type OnFailure = (error: unknown, place: string) => void;

/**
 * Answers every thrown failure as a problem document; anything but an AppError is our bug and reveals no
 * internals.
 */
export function answerProblems(app: FastifyInstance, onFailure?: OnFailure): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = toAppError(error, request);
    if (failure.status >= 500 && logFailure(request, error))
      onFailure?.(error, `${request.method} ${request.routeOptions.url ?? "unknown"}`);
    return sendProblem(reply, request, failure);
  });
}

/**
 * Most incomplete requests come from users who closed a page during an upload, which is not our fault. Of a database that is
 * away the log has a line already; a statement that waited too long may be ours.
 * @returns whether it is ours
 */
function logFailure(request: FastifyRequest, error: FastifyError): boolean {
  if (isUnavailable(error)) {
    request.log[chooseLevel(error)]({ err: error }, "A request failed");
    return !isAway(error);
  }
  const isOurs = !request.raw.destroyed || request.raw.complete;
  if (isOurs) request.log.error({ err: error }, "A request failed");
  else request.log.info("The caller left before the end");
  return isOurs;
}

/** Sends one problem document. */
export function sendProblem(reply: FastifyReply, request: FastifyRequest, failure: AppError): FastifyReply {
  if (failure.retryAfterSeconds) void reply.header("Retry-After", String(failure.retryAfterSeconds));
  return reply.code(failure.status).type(PROBLEM_MEDIA_TYPE).send(printProblem(failure, request.id));
}

/** Writes a problem document. */
export function printProblem({ status, message, code }: AppError, requestId: string): string {
  const problem: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    code,
    request_id: requestId,
  };
  return JSON.stringify(problem);
}

function toAppError(error: FastifyError | AppError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const status = error.code === "FST_INVALID_MULTIPART_CONTENT_TYPE" ? 415 : (error.statusCode ?? 500);
  const known = REFUSALS[status];
  if (known) return new AppError({ status, ...known });
  if (CUT_FORM.test(error.message)) {
    return badRequest("cut_form", "Only part of the file arrived. Choose it again and resend it.");
  }
  if (status >= 400 && status < 500) return badRequest("invalid_request", "The request couldn't be read.");
  const detail = `Something went wrong on our side. Try again; if it happens again, contact us with the support ID ${request.id}.`;
  return new AppError({ status: 500, code: "internal_error", detail, cause: error });
}

/** Refusals by the library and its plugins, by status. */
const REFUSALS: Record<number, { code: string; detail: string }> = {
  413: { code: "too_large", detail: "The request is larger than this call accepts." },
  415: { code: "wrong_media_type", detail: "This call needs a different type of content." },
};
