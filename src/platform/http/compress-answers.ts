import { pipeline, Readable } from "node:stream";
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import type { FastifyInstance, onSendAsyncHookHandler } from "fastify";

/** Smaller bodies fit one packet anyway. */
const MIN_BYTES = 1024;

/**
 * Up to this size a body is compressed synchronously, in under a millisecond; a stream would wait for shared
 * threads.
 */
const AT_ONCE_BYTES = 256 * 1024;

/** Event streams must not wait for the next block. */
const TEXT = /^text\/(?!event-stream)|[/+](?:json|xml)(?:;|$)/;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODINGS = {
  br: {
    compress: (body: Buffer) => brotliCompressSync(body, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: { compress: (body: Buffer) => gzipSync(body), stream: () => createGzip() },
};

/** Compresses the texts that routes answer with, for clients that accept it. Call it before any route is added. */
export function compressAnswers(app: FastifyInstance): void {
  // Last of a route's own hooks: the others see the body as it is.
  app.addHook("onRoute", (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), compressBody];
  });
}

/**
 * The best encoding of ours that a client accepts; null for none.
 * @param accepted header Accept-Encoding, such as "gzip, br;q=0.5"
 */
export function chooseEncoding(accepted: string | undefined): keyof typeof ENCODINGS | null {
  const weights = new Map<string, number>();
  for (const part of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(name, Number(weight ?? 1));
  }
  const isAccepted = (name: string) => (weights.get(name) ?? weights.get("*") ?? 0) > 0;
  if (isAccepted("br")) return "br";
  return isAccepted("gzip") ? "gzip" : null;
}

const compressBody: onSendAsyncHookHandler = async (request, reply, payload) => {
  const isText = TEXT.test(String(reply.getHeader("content-type") ?? ""));
  if (!isText || reply.hasHeader("content-encoding")) return payload;
  const body = payload instanceof Readable ? payload : toBytes(payload);
  if (body === null || ("length" in body && body.length < MIN_BYTES)) return payload;
  void reply.header("Vary", "Accept-Encoding");
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return payload;
  void reply.header("Content-Encoding", encoding).removeHeader("content-length");
  const { compress, stream } = ENCODINGS[encoding];
  if ("length" in body && body.length <= AT_ONCE_BYTES) return compress(body);
  // The stream that is sent reports a failure of either.
  return pipeline("length" in body ? Readable.from([body]) : body, stream(), () => undefined);
};

function toBytes(payload: unknown): Buffer | null {
  if (Buffer.isBuffer(payload)) return payload;
  return typeof payload === "string" ? Buffer.from(payload) : null;
}
