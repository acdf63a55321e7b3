import type { Endpoint } from "#contract/endpoint.ts";
import { ApiError, errorText, readErrorBody } from "#web/kit/api-error.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import axios, { AxiosError, type AxiosRequestConfig, type AxiosResponse } from "axios";
import type * as z from "zod";

type Input<T> = T extends z.ZodType ? z.input<T> : never;
type Needs<E extends Endpoint, K extends "params" | "query" | "body"> = E[K] extends z.ZodType
  ? { [P in K]: Input<E[K]> }
  : object;

/** Input of a call of `E`: its parameters, query and body, and the file if it takes one. */
export type CallInput<E extends Endpoint> = Needs<E, "params"> &
  Needs<E, "query"> &
  Needs<E, "body"> &
  (E["file"] extends object ? { file: File } : object) & {
    /** Bytes sent so far as a percentage, 0 to 100. */
    onUploadProgress?: (percent: number) => void;
    signal?: AbortSignal | undefined;
    /** Company of the call, if the page may have switched to another meanwhile. */
    realmId?: string;
  };

/** A received document, its name from the server, and the id of its subject if the server sends one. */
export type ReceivedDocument = { blob: Blob; filename: string | null; of?: string };

export type CallReply<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.output<E["response"]>
  : ReceivedDocument;

/** Milliseconds a call may take: unlimited for uploads, a minute for documents, half a minute otherwise. */
const TIME_LIMITS = { upload: 0, document: 60_000, data: 30_000 } as const;

type LooseInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: File;
  onUploadProgress?: (percent: number) => void;
  signal?: AbortSignal | undefined;
  realmId?: string;
};

/**
 * Calls the server; the page makes no other calls.
 * @throws ApiError with the text to show, for every failure
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<CallReply<E>> {
  try {
    const answer = await axios.request<unknown>(toRequest(endpoint, input as LooseInput));
    return toReply(endpoint, answer) as CallReply<E>;
  } catch (error) {
    throw await toApiError(error, `${endpoint.method} ${endpoint.path}`);
  }
}

function toRequest(endpoint: Endpoint, input: LooseInput): AxiosRequestConfig {
  const realmId = input.realmId ?? realmStore.get();
  return {
    method: endpoint.method,
    url: fillPath(endpoint.path, input.params ?? {}),
    params: input.query,
    data: input.file && endpoint.file ? toForm(endpoint.file.field, input.file, input.body) : input.body,
    responseType: isDocument(endpoint) ? "blob" : "json",
    headers: { traceparent: newTraceparent(), ...(realmId === null ? {} : { "X-Realm-Id": realmId }) },
    timeout: endpoint.file
      ? TIME_LIMITS.upload
      : isDocument(endpoint)
        ? TIME_LIMITS.document
        : TIME_LIMITS.data,
    timeoutErrorMessage: "timeout exceeded",
    ...(input.signal ? { signal: input.signal } : {}),
    ...(input.onUploadProgress ? { onUploadProgress: reportPercent(input.onUploadProgress) } : {}),
  };
}

function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function toForm(field: string, file: File, body: unknown): FormData {
  const form = new FormData();
  // Before the file, so that the server has read it when the file starts.
  if (body !== undefined && Object.keys(body as object).length > 0) form.append("body", JSON.stringify(body));
  form.append(field, file, file.name);
  return form;
}

function reportPercent(report: (percent: number) => void) {
  return ({ loaded, total }: { loaded: number; total?: number | undefined }) => {
    if (total) report(Math.min(100, (loaded / total) * 100));
  };
}

function isDocument(endpoint: Endpoint): boolean {
  return "mediaType" in endpoint.response && typeof endpoint.response.mediaType === "string";
}

function toReply(endpoint: Endpoint, answer: AxiosResponse<unknown>): unknown {
  if (isDocument(endpoint)) {
    const { "content-disposition": disposition, "x-document-of": of } = answer.headers;
    return { blob: answer.data, filename: parseFilename(String(disposition ?? "")), ...(of ? { of } : {}) };
  }
  // A proxy's page in place of an answer would otherwise surface later as an undefined field.
  if (typeof answer.data !== "object" || answer.data === null)
    throw new Error("Invalid response from server");
  return answer.data;
}

function parseFilename(disposition: string): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
}

async function toApiError(error: unknown, call: string): Promise<ApiError> {
  if (!(error instanceof AxiosError)) {
    const message = error instanceof Error ? error.message : String(error);
    return new ApiError({ message, status: null, code: null, requestId: null, call });
  }
  if (error.code === AxiosError.ERR_CANCELED) {
    return new ApiError({ message: "Request aborted", status: null, code: "aborted", requestId: null });
  }
  const body = await readErrorBody(error.response?.data);
  const problem = (typeof body === "object" && body !== null ? body : {}) as {
    code?: unknown;
    request_id?: unknown;
  };
  return new ApiError({
    message: errorText(body, error.message),
    status: error.response?.status ?? null,
    code: typeof problem.code === "string" ? problem.code : null,
    requestId: typeof problem.request_id === "string" ? problem.request_id : null,
    call,
  });
}

/**
 * Makes a new trace for a call, which the server continues in its log, its runs and its calls of vendors. It names a call and
 * protects nothing, so it needs no `crypto`, which some browsers don't have here.
 * @see W3C Trace Context, "traceparent Header"
 */
function newTraceparent(): string {
  const hex = Array.from({ length: 48 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
