import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { PROBLEM_MEDIA_TYPE } from "#contract/problem.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import type { Ids } from "#platform/ids.ts";
import { printProblem } from "#platform/http/problem.ts";
import { listSecurityHeaders, type SecurityOptions } from "#platform/http/security-headers.ts";

type Refused = NodeJS.ErrnoException;

/**
 * Creates the answer to a request that is no HTTP, whose headers are too large, or that doesn't end: there is no request and
 * no reply, only the connection, which is closed.
 */
export function answerUnreadable(ids: Ids, options: SecurityOptions) {
  return (error: Refused, socket: Socket): void => {
    // A caller who left hears nothing.
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    if (socket.writable) socket.write(printAnswer(toFailure(error.code), ids.uuid(), options));
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

function printAnswer(failure: AppError, requestId: string, options: SecurityOptions): string {
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
