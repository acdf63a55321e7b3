import * as client from "openid-client";
import * as z from "zod";
import { wasNotSent } from "#platform/outbound/was-not-sent.ts";
import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { HostNotAllowed } from "#platform/outbound/allowed-hosts.ts";

/** Whether the failed request used up a code or refresh token at Intuit if it arrived. */
type Step = { consumes: boolean };

/** Converts openid-client's errors to IntuitErrors; drops quoted texts, which may contain tokens. */
export function signInError(error: unknown, step: Step): unknown {
  if (error instanceof IntuitError || error instanceof HostNotAllowed) return error;
  if (error instanceof client.ResponseBodyError) return answeredError(error.response, step, error.error);
  if (error instanceof client.WWWAuthenticateChallengeError)
    return answeredError(error.response, step, `http_${error.status}`);
  if (error instanceof client.AuthorizationResponseError)
    return new IntuitError({ kind: "auth", faults: [fault(error.error)] });
  if (error instanceof client.ClientError && error.cause instanceof Response)
    return answeredError(error.cause, step);
  const isInDoubt = step.consumes && !wasNotSent(error);
  const kind = isTrouble(error) ? (isInDoubt ? "uncertain" : "network") : "auth";
  return new IntuitError({ kind, message: errorName(error) });
}

const KIND_BY_REFUSAL: Record<string, IntuitErrorKind> = {
  invalid_grant: "reconnect",
  invalid_client: "bug",
  invalid_request: "bug",
  unauthorized_client: "bug",
  unsupported_grant_type: "bug",
};

/** @param code OAuth error code of a refusal; without one the answer was unexpected */
export function answeredError({ status, headers }: Response, { consumes }: Step, code?: string): IntuitError {
  const failed = consumes ? "uncertain" : "system";
  const refused = code === undefined || status >= 500 ? failed : (KIND_BY_REFUSAL[code] ?? "auth");
  return new IntuitError({
    kind: status === 429 ? "throttled" : refused,
    http: status,
    tid: headers.get("intuit_tid"),
    ...(code === undefined ? { message: "unexpected answer" } : { faults: [fault(code)] }),
  });
}

/**
 * Connection failures arrive as fetch's TypeError; timeouts and truncated bodies as openid-client's own
 * codes.
 */
function isTrouble(error: unknown): boolean {
  if (error instanceof z.ZodError) return true;
  if (error instanceof TypeError) return error.message === "fetch failed" || error.message === "terminated";
  if (!(error instanceof client.ClientError)) return error instanceof DOMException;
  return (
    ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_PARSE_ERROR"].includes(error.code ?? "") || isTrouble(error.cause)
  );
}

const errorName = (error: unknown) =>
  error instanceof client.ClientError
    ? (error.code ?? error.name)
    : error instanceof Error
      ? error.name
      : "unknown";

const fault = (code: string) => ({ code, element: "", message: code, detail: "", type: "" });
