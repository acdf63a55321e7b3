/** Whether a failed fetch certainly did not send the request: its connection was never open. */
export function wasNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return causes.length > 0 && causes.every(isOfOpening);
}

function isOfOpening(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return false;
  if (OPENING_CODES.has(cause.code)) return true;
  return "syscall" in cause && typeof cause.syscall === "string" && OPENING_CALLS.has(cause.syscall);
}

/** A route can also be lost while the answer is read: then the same code is one of `read` or `write`. */
const OPENING_CALLS: ReadonlySet<string> = new Set(["connect", "getaddrinfo"]);

const OPENING_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);
