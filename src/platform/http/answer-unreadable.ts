import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { PROBLEM_MEDIA_TYPE } from "#contract/problem.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import type { Ids } from "#platform/ids.ts";
import { printProblem } from "#platform/http/problem.ts";
import { listSecurityHeaders, type SecurityOptions } from "#platform/http/security-headers.ts";

type ClientError = NodeJS.ErrnoException;

/**
 * Answers connections whose bytes aren't valid HTTP, whose headers are too large, or whose request never
 * completes. Fastify has no request object then, so the problem is written to the socket, which is closed.
 */
export function answerUnreadable(ids: Ids, options: SecurityOptions) {
  return (error: ClientError, socket: Socket): void => {
    // The caller has disconnected.
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    if (socket.writable) socket.write(formatResponse(toFailure(error.code), ids.uuid(), options));
    socket.destroy(error);
  };
}

function toFailure(code: string | undefined): AppError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new AppError({
      status: 431,
      code: "headers_too_large",
      detail: "The address and the headers of the request are larger than 16 kB. Send less.",
    });
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new AppError({
      status: 408,
      code: "request_timeout",
      detail: "The request didn't arrive in time. Send it again.",
    });
  return badRequest("invalid_request", "The request couldn't be read.");
}

function formatResponse(failure: AppError, requestId: string, options: SecurityOptions): string {
  const body = printProblem(failure, requestId);
  const headers = {
    ...listSecurityHeaders(options),
    "Content-Type": PROBLEM_MEDIA_TYPE,
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": requestId,
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? "Error"}\r\n${lines.join("")}\r\n${body}`;
}
