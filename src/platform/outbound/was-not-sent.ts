/** Whether a failed fetch certainly did not send the request. */
export function wasNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return causes.every(
    (cause) =>
      cause instanceof Error && "code" in cause && typeof cause.code === "string" && NOT_SENT.has(cause.code),
  );
}

/** Failures before a connection was open: the request cannot have reached the service. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);
