import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Access, Endpoint, EndpointInput, EndpointReply } from "#contract/endpoint.ts";
import { badRequest } from "#platform/errors.ts";
import { refuseShape, type Place } from "#platform/http/refuse-shape.ts";

/** One file of a multipart request, still streaming in. `isCut` tells, after the end, that it was over the limit. */
export type IncomingFile = { name: string; stream: NodeJS.ReadableStream; isCut(): boolean };

/** What a handler gets beside its parsed input: who calls, and the raw exchange for headers and documents. */
export type Call<Caller> = { caller: Caller; request: FastifyRequest; reply: FastifyReply };

type Handler<E extends Endpoint, Caller> = (
  input: EndpointInput<E> & (E extends { file: object } ? { file: IncomingFile } : object),
  call: Call<Caller>,
) => Promise<EndpointReply<E> | FastifyReply>;

/** Mounts an endpoint: who may, shapes in, handler, shape out. */
export type Mount<Caller> = <E extends Endpoint>(endpoint: E, handler: Handler<E, Caller>) => void;

/**
 * Makes the `mount` of an application.
 * @param authorize finds the caller and throws when `access` does not let them in
 */
export function createMount<Caller>(
  app: FastifyInstance,
  authorize: (request: FastifyRequest, access: Access) => Promise<Caller>,
): Mount<Caller> {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        const caller = await authorize(request, endpoint.access);
        const input = await readInput(endpoint, request);
        const answer = await handler(input as Parameters<typeof handler>[0], { caller, request, reply });
        if (reply.sent || answer === reply) return reply;
        return reply.code(endpoint.status ?? 200).send(encode(endpoint, answer));
      },
    });
  };
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
  const result = z.safeParse(schema, value);
  if (!result.success) throw refuseShape(place, result.error);
  return result.data;
}

async function openFile(
  expected: NonNullable<Endpoint["file"]>,
  request: FastifyRequest,
): Promise<IncomingFile> {
  const limits = { fileSize: expected.maxBytes, files: 1, fields: 5, fieldSize: 1_000, parts: 6 };
  const part = await request.file({ limits }).catch((error: unknown) => {
    throw refuseForm(error);
  });
  if (!part || part.fieldname !== expected.field) {
    throw badRequest("no_file", `Choose a file: the form needs one in the field "${expected.field}".`);
  }
  return { name: part.filename, stream: part.file, isCut: () => part.file.truncated };
}

/** The reader of forms throws bare errors for forms it cannot read, which are the caller's fault and not ours. */
function refuseForm(error: unknown): unknown {
  if (error instanceof Error && "statusCode" in error) return error;
  return badRequest(
    "invalid_form",
    "The form could not be read. Choose the file again and send it once more.",
  );
}

function encode(endpoint: Endpoint, answer: unknown): unknown {
  return "parse" in endpoint.response ? endpoint.response.parse(answer) : answer;
}
