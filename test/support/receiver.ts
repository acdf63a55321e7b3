import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { MACHINE_TIME, type Stepping } from "./stepped-clock.ts";

/** A request as it arrived. */
export type Received = { path: string; headers: Record<string, string>; body: string };
type Answer = number | ((response: ServerResponse, request: IncomingMessage) => void);

/** A company's own program, which webhooks are posted to. */
export type Receiver = {
  /** Address of a path on it. */
  url: (path?: string, host?: string) => string;
  /** Requests so far, oldest first. */
  got: Received[];
  /** Answers of the next requests: a status, or a misbehavior; 200 after the last one. */
  answer: (...answers: Answer[]) => void;
  /** Lets time pass until it has received `count` requests. */
  gets: (count: number) => Promise<Received[]>;
  connections: () => number;
};

/** Starts a receiver on this machine; it ends with the test. @param time of the product that posts to it */
export async function startReceiver(time: Pick<Stepping, "settle"> = MACHINE_TIME): Promise<Receiver> {
  const got: Received[] = [];
  const answers: Answer[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      got.push({ path: request.url ?? "", headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.shift() ?? 200;
      if (typeof answer === "number") response.writeHead(answer).end();
      else answer(response, request);
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = "/hooks", host = "127.0.0.1") => `http://${host}:${port}${path}`,
    got,
    answer: (...more) => void answers.push(...more),
    gets: async (count) => {
      for (await time.settle(0); got.length < count;) await time.settle(1_000);
      return got;
    },
    connections: () => connections,
  };
}
