import type { FastifyReply } from "fastify";

/** An open stream of server-sent events. */
export type EventStream = {
  /** Sends one event; its data is JSON. */
  send(event: string, data: unknown): void;
  close(): void;
  /** Called once when either side ends the stream. */
  onClose(work: () => void): void;
};

/** Proxies end what is silent for half a minute. */
const COMMENT_MS = 15_000;
/** The browser tries again this long after a stream has ended. */
const RETRY_MS = 5_000;

/** Answers with a stream that stays open. Hints only: who misses one polls. */
export function openEventStream(reply: FastifyReply): EventStream {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(headers as Record<string, string>),
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  const timer = setInterval(() => response.write(": still here\n\n"), COMMENT_MS);
  response.once("close", () => clearInterval(timer));
  return {
    send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    close: () => void response.end(),
    onClose: (work) => void response.once("close", work),
  };
}
