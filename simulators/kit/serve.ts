import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BodyTooLarge, parseAddress, readBody, send, type Reply, type WireRequest } from "./http.ts";

type Options = {
  /** 0 = any free port. */
  port: number;
  /** Longest request body, in bytes. */
  limit: number;
  /** Answers a request that was read completely. */
  answer(request: WireRequest, response: ServerResponse): Promise<void> | void;
  /** Reply to a request that could not be read or answered. */
  failure(status: 413 | 500, reason: string): Reply;
};

/**
 * Serves HTTP on the loopback only.
 * @returns the origin, without a trailing slash, and a function that frees the port at once and closes the server
 */
export async function serveLocally({
  port,
  limit,
  answer,
  failure,
}: Options): Promise<{ url: string; close(): Promise<void> }> {
  let url = "";
  const server = createServer((request, response) => {
    const reply = async () => {
      const address = parseAddress(request, url);
      const body = await readBody(request, limit);
      const { method = "GET", headers } = request;
      await answer({ method, url: address, headers, body }, response);
    };
    reply().catch((error: unknown) => {
      const status = error instanceof BodyTooLarge ? 413 : 500;
      if (!response.headersSent) send(response, failure(status, `The simulator failed: ${String(error)}`));
    });
  });
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "localhost", resolve);
  });
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
