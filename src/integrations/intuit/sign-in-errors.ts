import * as client from "openid-client";
import * as z from "zod";
import { wasNotSent } from "#integrations/intuit/classify.ts";
import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { HostNotAllowed } from "#platform/outbound/allowed-hosts.ts";

/** Whether the failed request changed something at Intuit if it got through: a code or refresh token is used up. */
type Step = { consumes: boolean };

/** Turns what openid-client throws into an IntuitError; the texts it quotes are dropped, since they may hold tokens. */
export function signInError(error: unknown, { consumes }: Step): unknown {
  if (error instanceof IntuitError || error instanceof HostNotAllowed) return error;
  if (error instanceof client.ResponseBodyError) return refusal(error.error, error.response);
  if (error instanceof client.AuthorizationResponseError) {
    return new IntuitError({ kind: "auth", faults: [fault(error.error)] });
  }
  if (error instanceof client.WWWAuthenticateChallengeError)
    return refusal(`http_${error.status}`, error.response);
  const response = responseOf(error);
  if (response) return unexpectedAnswer(response, consumes);
  const kind = isTrouble(error) ? troubleKind(error, consumes) : "auth";
  return new IntuitError({ kind, message: nameOf(error) });
}

const KIND_OF_REFUSAL: Record<string, IntuitErrorKind> = {
  invalid_grant: "reconnect",
  invalid_client: "bug",
  invalid_request: "bug",
  unauthorized_client: "bug",
  unsupported_grant_type: "bug",
};

function refusal(code: string, response: Response): IntuitError {
  const byStatus = response.status === 429 ? "throttled" : response.status >= 500 ? "uncertain" : "auth";
  return new IntuitError({
    kind: response.status >= 500 ? byStatus : (KIND_OF_REFUSAL[code] ?? byStatus),
    http: response.status,
    faults: [fault(code)],
    tid: response.headers.get("intuit_tid"),
  });
}

function unexpectedAnswer(response: Response, consumes: boolean): IntuitError {
  const kind: IntuitErrorKind = response.status === 429 ? "throttled" : consumes ? "uncertain" : "system";
  return new IntuitError({
    kind,
    http: response.status,
    tid: response.headers.get("intuit_tid"),
    message: "unexpected answer",
  });
}

function troubleKind(error: unknown, consumes: boolean): IntuitErrorKind {
  return consumes && !wasNotSent(error) ? "uncertain" : "network";
}

/** Connection failures reach us as a TypeError of fetch; time-outs and cut bodies as openid-client's own codes. */
function isTrouble(error: unknown): boolean {
  if (error instanceof z.ZodError) return true;
  if (error instanceof TypeError) return error.message === "fetch failed" || error.message === "terminated";
  if (!(error instanceof client.ClientError)) return error instanceof DOMException;
  return (
    ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_PARSE_ERROR"].includes(error.code ?? "") || isTrouble(error.cause)
  );
}

function responseOf(error: unknown): Response | null {
  if (!(error instanceof client.ClientError)) return null;
  return error.cause instanceof Response ? error.cause : null;
}

const nameOf = (error: unknown) =>
  error instanceof client.ClientError
    ? (error.code ?? error.name)
    : error instanceof Error
      ? error.name
      : "unknown";

const fault = (code: string) => ({ code, message: code, detail: "", element: null, type: "" });
