import type { FastifyReply } from "fastify";
import { AppError } from "#platform/errors.ts";

/** An open stream of server-sent events. */
export type EventStream = {
  /** Sends one event; its data is JSON. */
  send(event: string, data: unknown): void;
  close(): void;
  isClosed(): boolean;
  /** Called once when either side ends the stream. */
  onClose(work: () => void): void;
};

/** Proxies end what is silent for half a minute. */
const COMMENT_MS = 15_000;
/** The browser tries again this long after a stream has ended. */
const RETRY_MS = 5_000;

/** Answers with a stream that stays open. Hints only: who misses one polls. @throws AppError 429 over the limit */
export type OpenEventStream = (reply: FastifyReply, session: string) => EventStream;

/** Makes the streams of one server. @param limit streams that one session may have open */
export function createEventStreams(limit: number): OpenEventStream {
  const open = new Map<string, number>();
  return (reply, session) => {
    const count = open.get(session) ?? 0;
    if (count >= limit) throw tooMany(limit);
    open.set(session, count + 1);
    const stream = openEventStream(reply);
    stream.onClose(() => {
      const left = (open.get(session) ?? 1) - 1;
      if (left > 0) open.set(session, left);
      else open.delete(session);
    });
    return stream;
  };
}

const tooMany = (limit: number) =>
  new AppError({
    status: 429,
    code: "too_many_streams",
    detail: `This session has ${limit} streams of changes open already. Close a tab first.`,
    retryAfterSeconds: RETRY_MS / 1000,
  });

function openEventStream(reply: FastifyReply): EventStream {
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
    isClosed: () => response.writableEnded || response.destroyed,
    onClose: (work) => void response.once("close", work),
  };
}
