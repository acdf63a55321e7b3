import { createHash } from "node:crypto";
import type { Multipart, MultipartFile } from "@fastify/multipart";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preParsingHookHandler,
} from "fastify";
import * as z from "zod";
import type { Access, Endpoint, EndpointInput, EndpointReply } from "#contract/endpoint.ts";
import { isLineText, LINE_TEXT_REFUSED } from "#contract/text.ts";
import { AppError, badRequest, unreadableAddress } from "#platform/errors.ts";
import type { CallerGate } from "#platform/http/gate.ts";
import { refuseSubresource } from "#platform/http/navigation.ts";
import { refuseBounds } from "#platform/http/read-json-bodies.ts";
import { refuseShape, type Place } from "#platform/http/refuse-shape.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it came in, at endpoints for keys. */
    bytes?: () => Buffer;
  }
}

/**
 * One file of a multipart request, still streaming in. After its end, `isCut` tells whether it was over the
 * limit.
 */
export type IncomingFile = { name: string; stream: AsyncIterable<Buffer>; isCut(): boolean };

/**
 * A handler's call, besides its parsed input: the caller, and the raw request and reply for headers and
 * documents.
 */
export type Call<Caller> = { caller: Caller; request: FastifyRequest; reply: FastifyReply };

type Handler<E extends Endpoint, Caller> = (
  input: EndpointInput<E> & (E extends { file: object } ? { file: IncomingFile } : object),
  call: Call<Caller>,
) => Promise<EndpointReply<E> | FastifyReply>;

/** Mounts an endpoint: checks access, parses the input, runs the handler, and checks the reply. */
export type Mount<Caller> = <E extends Endpoint>(endpoint: E, handler: Handler<E, Caller>) => void;

/** A user or an API key; `realmId` is empty for calls about no company. */
export type CallerScope = { realmId: string; caller: string };

/** Called with the fingerprint of a complete request, before any effect of it. Throws if it must not be done. */
type StartWork = (fingerprint: Buffer) => Promise<void>;

/** A request that may be a repeat. `isShownOnce`: its answer has a secret. */
type KeyedRequest = {
  request: FastifyRequest;
  reply: FastifyReply;
  scope: CallerScope;
  isShownOnce: boolean;
};

/** Keeps the answers of requests, and gives them again in place of the work of a repeat. */
export type Keeper = {
  keep: onSendAsyncHookHandler;
  /** @param work calls `start` once the body is complete, before any effect */
  once(asked: KeyedRequest, work: (start: StartWork) => Promise<FastifyReply>): Promise<FastifyReply>;
};

type MountOptions<Caller> = {
  /** Finds the caller and throws if `access` does not permit the call. */
  authorize(request: FastifyRequest, access: Access): Promise<Caller>;
  /** Reads the session or key that a request claims, for limits; null for guests. */
  readSession(request: FastifyRequest, access: Access): string | null;
  gate: CallerGate;
  /** Keeps answers to POSTs with an Idempotency-Key, for callers that `identify` can tell apart. */
  answers?: { keeper: Keeper; identify(caller: Caller): CallerScope | null };
};

/** Creates an application's `mount`. */
export function createMount<Caller>(
  app: FastifyInstance,
  { authorize, readSession, gate, answers }: MountOptions<Caller>,
): Mount<Caller> {
  const readClaim = (request: FastifyRequest, access: Access) =>
    access.kind === "public" ? null : readSession(request, access);

  /** Finds the caller, and notes whether what it claims is known: any refusal but 401 says that it is. */
  const identify = async (request: FastifyRequest, access: Access): Promise<Caller> => {
    const claim = readClaim(request, access);
    try {
      const caller = await authorize(request, access);
      if (claim !== null) gate.admit(claim);
      return caller;
    } catch (error) {
      if (claim !== null && isUnknown(error)) gate.forget(claim);
      // A caller who may not do this exists.
      else if (claim !== null && error instanceof AppError && error.status === 403) gate.admit(claim);
      throw error;
    }
  };

  /** Counts a call before its body is read, and refuses that of an unknown caller. */
  const enter = async (request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint) => {
    const { access, changes, method, gate: own } = endpoint;
    refuseUnreadable(request.url);
    if (changes) refuseSubresource(request, "empty");
    const claim = readClaim(request, access);
    gate.enter(request, claim, own?.of);
    if (endpoint.file) refuseLongForm(request, reply, endpoint.file.maxBytes);
    if (access.kind === "public" || method === "GET" || gate.isKnown(claim)) return;
    // Another refusal may depend on the body.
    await identify(request, access).catch((error: unknown) => {
      if (isUnknown(error)) throw error;
    });
  };

  return (endpoint, handler) => {
    const { response, access } = endpoint;
    const bodyLimit = endpoint.gate?.maxBytes ?? endpoint.maxBodyBytes;
    const isForPrograms = access.kind === "key";
    app.route({
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      ...(isForPrograms ? { preParsing: keepBytes } : {}),
      config: {
        ...(access.kind === "public" ? endpoint.gate && { gate: endpoint.gate } : { gate: "known" }),
        ...(isForPrograms && { fromProgram: true }),
        ...(access.kind === "member" && access.keys && { takesKeys: true }),
      },
      method: endpoint.method,
      url: endpoint.path,
      onRequest: (request, reply) => enter(request, reply, endpoint),
      ...(answers ? { onSend: answers.keeper.keep } : {}),
      handler: async (request, reply) => {
        const caller = await identify(request, access);
        // Afterwards: a company named in the body must not replace the one on screen.
        readQueryFromBody(endpoint, request);
        const counted = gate.nameCaller(request, readClaim(request, access));
        if (endpoint.cost === "heavy") gate.counts.heavyCall(counted);
        if (endpoint.file) gate.counts.upload(counted);
        const work = async (start: StartWork) => {
          const input = await readInput(endpoint, request, start);
          const answer = await handler(input as Parameters<typeof handler>[0], { caller, request, reply });
          // If a caller left in the middle, the headers were sent and the end was not.
          if (reply.sent || reply.raw.headersSent || answer === reply) return reply;
          return reply
            .code(endpoint.status ?? 200)
            .send("parse" in response ? response.parse(answer ?? {}) : answer);
        };
        const isKept = endpoint.method === "POST" && !endpoint.readsOnly;
        const scope = isKept ? answers?.identify(caller) : null;
        return answers && scope
          ? answers.keeper.once({ request, reply, scope, isShownOnce: endpoint.isShownOnce ?? false }, work)
          : work(() => Promise.resolve());
      },
    });
  };
}

const isUnknown = (error: unknown): boolean => error instanceof AppError && error.status === 401;

/** Proxies drop the body of a DELETE, so its arguments are in the query; a body with them is taken too. */
function readQueryFromBody({ method, body: expected }: Endpoint, request: FastifyRequest): void {
  const { body } = request;
  if (method !== "DELETE" || expected || typeof body !== "object" || body === null) return;
  request.query = { ...body, ...(request.query as object) };
}

/** Keeps the bytes of a body alongside their parsed value, for `request.bytes`. */
const keepBytes: preParsingHookHandler = (request, _reply, payload, done) => {
  const chunks: Buffer[] = [];
  request.bytes = () => Buffer.concat(chunks);
  payload.on("data", (chunk: Buffer) => chunks.push(chunk));
  done(null, payload);
};

/**
 * The library leaves bytes that are not UTF-8 unchanged, including percent signs, and no client intends
 * those.
 */
function refuseUnreadable(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw unreadableAddress();
  }
}

async function readInput(endpoint: Endpoint, request: FastifyRequest, start: StartWork) {
  const params = parse(endpoint.params, "path", request.params);
  const query = parse(endpoint.query, "query", request.query);
  if (!endpoint.file) {
    const body = parse(endpoint.body, "body", request.body);
    await start(beginFingerprint(request, request.body).digest());
    return { params, query, body };
  }
  const { file, body } = await openFile(endpoint.file, request);
  const fingerprint = beginFingerprint(request, [body, file.name]);
  // The bytes are known at the end of the stream, and no handler does anything with a file before that.
  const stream = async function* () {
    for await (const chunk of file.stream) {
      fingerprint.update(chunk);
      yield chunk;
    }
    await start(fingerprint.digest());
  };
  return {
    params,
    query,
    body: parse(endpoint.body, "body", body),
    file: { ...file, stream: stream() },
  };
}

/** Begins the fingerprint of a request with its address and the parsed part of its body. */
const beginFingerprint = ({ method, routeOptions, params, query }: FastifyRequest, body: unknown) =>
  createHash("sha256").update(JSON.stringify([method, routeOptions.url, params, query, body]));

function parse(schema: z.ZodType | undefined, place: Place, value: unknown): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, value, { reportInput: true });
  if (!result.success) throw refuseShape(place, result.error);
  return result.data;
}

/**
 * Refuses a form that says that it is far longer than its file may be, and ends its connection, which would be read as long as
 * bytes come. One that is a little longer is read, so that its refusal can name the limit.
 */
function refuseLongForm({ headers }: FastifyRequest, reply: FastifyReply, maxBytes: number): void {
  // One that is streamed in chunks says nothing.
  if (Number(headers["content-length"] ?? 0) <= 4 * maxBytes + MAX_FORM_BODY_BYTES) return;
  void reply.header("Connection", "close");
  throw new AppError({
    status: 413,
    code: "too_large",
    detail: "The form is far larger than the largest file we accept. Choose a smaller file.",
  });
}

async function openFile(
  expected: NonNullable<Endpoint["file"]>,
  request: FastifyRequest,
): Promise<{ file: IncomingFile; body: unknown }> {
  const maxFiles = 2;
  const fieldSize = MAX_FORM_BODY_BYTES;
  const limits = { fileSize: expected.maxBytes, files: maxFiles, fields: 5, fieldSize, parts: 7 };
  const parts = request.parts({ limits });
  const { file, body } = await nextFile(parts);
  if (!file || file.fieldname !== expected.field) {
    throw badRequest("no_file", `Choose a file: the form needs one in the field "${expected.field}".`);
  }
  if (!isLineText(file.filename)) {
    throw badRequest("invalid_request", `The name of the file ${LINE_TEXT_REFUSED}. Rename it.`);
  }
  const rest = nextFile(parts);
  // A form is read while its file is, and no further than to its refusal.
  rest.catch(() => void request.raw.unpipe().resume());
  const stream = onlyFile(file, rest);
  return { file: { name: file.filename, stream, isCut: () => file.file.truncated }, body };
}

/** Size limit of a form's fields besides its file. */
const MAX_FORM_BODY_BYTES = 1_000_000;

/** Reads the next file of a form, and the field "body" before it; ignores other fields. */
async function nextFile(
  parts: AsyncIterableIterator<Multipart>,
): Promise<{ file: MultipartFile | null; body: unknown }> {
  let body: unknown = {};
  for (let next = await nextPart(parts); !next.done; next = await nextPart(parts)) {
    if (next.value.type === "file") return { file: next.value, body };
    if (next.value.fieldname === "body") body = readJson(next.value.value);
  }
  return { file: null, body };
}

const nextPart = (parts: AsyncIterableIterator<Multipart>) =>
  parts.next().catch((error: unknown) => {
    throw refuseForm(error);
  });

/** A field over its limit is truncated, and no longer JSON. */
function readJson(value: unknown): unknown {
  const refusal = refuseBounds(Buffer.from(String(value)));
  if (refusal) throw refusal;
  try {
    return JSON.parse(String(value));
  } catch {
    throw badRequest("invalid_request", 'The field "body" of the form must be JSON of at most 1 MB.');
  }
}

/** Yields the bytes of a file; only after them is it known whether the form has a second one. */
async function* onlyFile(file: MultipartFile, rest: ReturnType<typeof nextFile>) {
  yield* file.file as AsyncIterable<Buffer>;
  const { file: second } = await rest;
  if (!second) return;
  second.file.resume();
  throw badRequest("two_files", "The form has more than one file. Send them one at a time.");
}

/** The form parser throws plain errors for unreadable forms, which are the caller's fault. */
function refuseForm(error: unknown): unknown {
  if (error instanceof Error && "statusCode" in error) return error;
  return badRequest("invalid_form", "The form couldn't be read. Choose the file again and resend it.");
}
