/** A call that failed. `message` is shown to the user; `status` is null if there was no answer. */
export class ApiError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  /** Method and route of the call, for reports. */
  readonly call: string | undefined;

  constructor({ message, status, code, requestId, call }: ApiFailure) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.call = call;
  }
}

export type ApiFailure = {
  message: string;
  status: number | null;
  code: string | null;
  requestId: string | null;
  call?: string;
};

/**
 * Text of an error answer: its `detail` if that is a string, else the detail or the body as JSON, else the
 * error's own message.
 */
export function errorText(body: unknown, message: string): string {
  if (body === undefined || body === null || body === "") return message;
  if (typeof body === "string") return body;
  const detail = typeof body === "object" && "detail" in body ? body.detail : undefined;
  if (typeof detail === "string") return detail;
  return JSON.stringify(detail ?? body);
}

/** Reads an error answer to a document request as text, parsing JSON in it. */
export async function readErrorBody(body: unknown): Promise<unknown> {
  const text = body instanceof Blob ? await body.text() : body;
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** HTTP status of a failure, null when it had none. */
export function httpStatus(error: unknown): number | null {
  return error instanceof ApiError ? error.status : null;
}

/** Whether a call got no answer: the connection or the server is down. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.status === null;
}

/** Together a minute, within which another server is the database's primary. */
export const [AWAY_RETRIES, AWAY_RETRY_MS] = [12, 5_000];

/** Whether the server's database was away, which may be changing to another server. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === "database_unavailable";
}

/** Support id of a failure that is our fault and can be looked up; null for failures that users can fix. */
export function supportId(error: unknown): string | null {
  return error instanceof ApiError && (error.status ?? 0) >= 500 ? error.requestId : null;
}

/** Message of anything thrown, null for nothing. */
export function errorMessage(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  return error instanceof Error ? error.message : String(error);
}
