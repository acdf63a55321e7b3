import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Access, Endpoint, EndpointInput, EndpointReply } from "#contract/endpoint.ts";
import { isLineText, LINE_TEXT_REFUSED } from "#contract/text.ts";
import { badRequest, unreadableAddress } from "#platform/errors.ts";
import type { RateLimits } from "#platform/http/rate-limits.ts";
import { refuseShape, type Place } from "#platform/http/refuse-shape.ts";

/** One file of a multipart request, still streaming in. `isCut` says, after the end, that it was over the limit. */
export type IncomingFile = { name: string; stream: AsyncIterable<Buffer>; isCut(): boolean };

/** What a handler gets beside its parsed input: who calls, and the raw exchange for headers and documents. */
export type Call<Caller> = { caller: Caller; request: FastifyRequest; reply: FastifyReply };

type Handler<E extends Endpoint, Caller> = (
  input: EndpointInput<E> & (E extends { file: object } ? { file: IncomingFile } : object),
  call: Call<Caller>,
) => Promise<EndpointReply<E> | FastifyReply>;

/** Mounts an endpoint: who may, shapes in, handler, shape out. */
export type Mount<Caller> = <E extends Endpoint>(endpoint: E, handler: Handler<E, Caller>) => void;

type MountOptions<Caller> = {
  /** Finds the caller and throws when `access` does not let them in. */
  authorize(request: FastifyRequest, access: Access): Promise<Caller>;
  /** Names the session of a caller, for limits; null for guests. */
  sessionOf(caller: Caller): string | null;
  limits: RateLimits;
};

/** Makes the `mount` of an application. */
export function createMount<Caller>(
  app: FastifyInstance,
  { authorize, sessionOf, limits }: MountOptions<Caller>,
): Mount<Caller> {
  return (endpoint, handler) => {
    const { response } = endpoint;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        refuseUnreadable(request.url);
        const caller = await authorize(request, endpoint.access);
        if (endpoint.file) await limits.upload(request, sessionOf(caller));
        const input = await readInput(endpoint, request);
        const answer = await handler(input as Parameters<typeof handler>[0], { caller, request, reply });
        if (reply.sent || answer === reply) return reply;
        return reply
          .code(endpoint.status ?? 200)
          .send("parse" in response ? response.parse(answer ?? {}) : answer);
      },
    });
  };
}

/** The library leaves bytes that are no UTF-8 as they were written, percent signs and all, and nobody means those. */
function refuseUnreadable(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw unreadableAddress();
  }
}

async function readInput(endpoint: Endpoint, request: FastifyRequest) {
  return {
    params: parse(endpoint.params, "path", request.params),
    query: parse(endpoint.query, "query", request.query),
    body: parse(endpoint.body, "body", request.body),
    ...(endpoint.file ? { file: await openFile(endpoint.file, request) } : {}),
  };
}

function parse(schema: z.ZodType | undefined, place: Place, value: unknown): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, value, { reportInput: true });
  if (!result.success) throw refuseShape(place, result.error);
  return result.data;
}

async function openFile(
  expected: NonNullable<Endpoint["file"]>,
  request: FastifyRequest,
): Promise<IncomingFile> {
  const maxFiles = 2;
  const limits = { fileSize: expected.maxBytes, files: maxFiles, fields: 5, fieldSize: 1_000, parts: 7 };
  const parts = request.parts({ limits });
  const file = await nextFile(parts);
  if (!file || file.fieldname !== expected.field) {
    throw badRequest("no_file", `Choose a file: the form needs one in the field "${expected.field}".`);
  }
  if (!isLineText(file.filename)) {
    throw badRequest("invalid_request", `The name of the file ${LINE_TEXT_REFUSED}. Rename it.`);
  }
  return { name: file.filename, stream: onlyFile(file, parts), isCut: () => file.file.truncated };
}

/** The next file of a form; other fields before it are ignored. */
async function nextFile(parts: AsyncIterableIterator<Multipart>): Promise<MultipartFile | null> {
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next())
      if (next.value.type === "file") return next.value;
    return null;
  } catch (error) {
    throw refuseForm(error);
  }
}

/** The bytes of a file; only behind them it shows whether the form has a second one. */
async function* onlyFile(file: MultipartFile, parts: AsyncIterableIterator<Multipart>) {
  yield* file.file as AsyncIterable<Buffer>;
  const second = await nextFile(parts);
  if (!second) return;
  second.file.resume();
  throw badRequest("two_files", "The form has more than one file. Send them one at a time.");
}

/** The reader of forms throws bare errors for forms it cannot read, which are the caller's fault and not ours. */
function refuseForm(error: unknown): unknown {
  if (error instanceof Error && "statusCode" in error) return error;
  return badRequest(
    "invalid_form",
    "The form could not be read. Choose the file again and send it once more.",
  );
}
