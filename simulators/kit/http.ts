import type { IncomingMessage, ServerResponse } from "node:http";

export type Reply = { status: number; headers: Record<string, string>; body: string | Buffer };

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** A redirect with an empty body. */
export function redirect(location: string, status = 302): Reply {
  return { status, headers: { location, "cache-control": "no-store" }, body: "" };
}

/**
 * Reads the complete request body.
 * @throws BodyTooLarge if it is longer than `limit` bytes
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export class BodyTooLarge extends Error {}

/** Writes a complete response. */
export function send(response: ServerResponse, reply: Reply): void {
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(body.length) });
  response.end(body);
}

/** Writes the head and half of the body, then closes the connection. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(body.length) });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroySoon());
}

/** Parses a form body. */
export function formFields(body: Buffer): URLSearchParams {
  return new URLSearchParams(body.toString("utf8"));
}

/** Parses a request's address; `//` is part of the path, not of another host. */
export const parseAddress = ({ url = "/" }: IncomingMessage, origin: string): URL =>
  new URL(url.replace(/^[/\\]+/, "/"), origin);

/** A completely read request. */
export type WireRequest = { method: string; url: URL; headers: IncomingMessage["headers"]; body: Buffer };

/**
 * Refuses a control call from another site's page in a browser; undefined for tests, servers and the
 * simulator's own pages. Allows reads, because another site can't see the answer.
 */
export function refuseCrossSite({ method, headers }: WireRequest): Reply | undefined {
  const site = headers["sec-fetch-site"];
  const isForeign =
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (headers.origin !== undefined && headers.origin !== `http://${headers.host}`);
  if (!isForeign || method === "GET" || method === "HEAD") return undefined;
  return json(403, { error: "cross-site requests are refused" });
}

/** Whether another site's page sent a form here. The simulator may be served over HTTPS by a proxy. */
export function isForeignForm({ headers }: WireRequest): boolean {
  const { origin, host } = headers;
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}
