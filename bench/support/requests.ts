import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

type Answer = { status: number; ms: number; body: Buffer };
export type Timed = { status: number; ms: number; wireBytes: number; etag: string; body: Buffer };

/** Sends GETs like a browser, over one keep-alive connection, and counts the transferred bytes. */
export type Client = { get(path: string, headers?: Record<string, string>): Promise<Timed>; close(): void };

/** @param cookies of a signed-in browser */
export function createClient(origin: string, cookies: ReadonlyMap<string, string>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const get = (path: string, extra: Record<string, string> = {}) =>
    new Promise<Timed>((resolve, reject) => {
      const headers = { cookie, "accept-encoding": "gzip, deflate, br", ...extra };
      const startedAt = performance.now();
      let read = () => 0;
      const call = request(new URL(path, origin), { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            ms: performance.now() - startedAt,
            wireBytes: read(),
            etag: response.headers.etag ?? "",
            body: Buffer.concat(chunks),
          }),
        );
      });
      call.on("socket", (socket) => {
        const before = socket.bytesRead;
        read = () => socket.bytesRead - before;
      });
      call.on("error", reject);
      call.end();
    });
  return { get, close: () => agent.destroy() };
}

/** Calls repeatedly, at most every 20 ms, until stopped. @returns the time of each call */
export function probe(call: () => Promise<Timed>, stop: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  const run = async () => {
    while (!stop.aborted) {
      const { status, ms, body } = await call();
      if (status !== 200) throw new Error(`A request was answered with ${status}: ${body.toString()}`);
      times.push(ms);
      await wait(Math.max(0, 20 - ms));
    }
    return times;
  };
  return run();
}

type Upload = { origin: string; cookies: ReadonlyMap<string, string>; path: string; bytes: Uint8Array };

/**
 * Posts a workbook like a browser, with its last bytes delayed a moment, so that everything else has arrived.
 * @returns the status and the time from the last byte sent to the reply
 */
export function postWorkbook({ origin, cookies, path, bytes }: Upload): Promise<Answer> {
  const boundary = "----dockside-bench";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bench.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    origin,
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    let lastByteAt = 0;
    const call = request(new URL(path, origin), { method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          ms: performance.now() - lastByteAt,
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.on("error", reject);
    call.write(body.subarray(0, -1_000));
    setTimeout(() => {
      lastByteAt = performance.now();
      call.end(body.subarray(-1_000));
    }, 300);
  });
}
