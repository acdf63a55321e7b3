import type { FastifyReply } from "fastify";
import { every, type Clock } from "#platform/clock.ts";
import { AppError } from "#platform/errors.ts";

/** Proxies close connections that are silent for half a minute. */
const COMMENT_MS = 15_000;
/** Delay after which the browser reconnects an ended stream. */
const RETRY_MS = 5_000;

/**
 * Creates long-lived event streams. They carry only hints: clients that miss one poll.
 * @param limit maximum open streams of one session; AppError 429 above it
 */
export function createEventStreams(limit: number, clock: Clock) {
  const open = new Map<string, number>();
  return (reply: FastifyReply, session: string): EventStream => {
    const count = open.get(session) ?? 0;
    if (count >= limit)
      throw new AppError({
        status: 429,
        code: "too_many_streams",
        detail: `This session has ${limit} streams of changes open already. Close a tab first.`,
        retryAfterSeconds: RETRY_MS / 1000,
      });
    open.set(session, count + 1);
    const stream = openEventStream(reply, clock);
    stream.onClose(() => {
      const left = (open.get(session) ?? 1) - 1;
      if (left > 0) open.set(session, left);
      else open.delete(session);
    });
    return stream;
  };
}

export type OpenEventStream = ReturnType<typeof createEventStreams>;

/** An open stream of server-sent events. */
export type EventStream = ReturnType<typeof openEventStream>;

function openEventStream(reply: FastifyReply, clock: Clock) {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(headers as Record<string, string>),
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
  // Its answer is the headers alone, and would never end.
  if (reply.request.method === "HEAD") response.end();
  const isClosed = () => response.writableEnded || response.destroyed;
  const write = (text: string) => {
    // A write after the end would be an unhandled error and end the process.
    if (isClosed()) return;
    // A client that does not read would fill our memory; a browser reopens the stream.
    if (!response.write(text)) response.destroy();
  };
  const onClose = (work: () => void): void => {
    // A client that left while its call was checked closed the response then, and it closes only once.
    if (response.closed) work();
    else response.once("close", work);
  };
  write(`retry: ${RETRY_MS}\n\n`);
  onClose(every(clock, COMMENT_MS, () => write(": still here\n\n")));
  return {
    /** Sends one event; its data is JSON. */
    send: (event: string, data: unknown) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    close: () => void response.end(),
    isClosed,
    /** Calls `work` once when either side ends the stream, at once if it has ended. */
    onClose,
  };
}
