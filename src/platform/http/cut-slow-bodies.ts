import type { FastifyInstance } from "fastify";
import { every, type Clock } from "#platform/clock.ts";
import type { HttpLimits } from "#platform/http/limits.ts";

/**
 * Closes the connection of a request whose body arrives too slowly: each one holds a socket and a file on
 * disk. A time limit for the whole request would instead end legitimate uploads over a slow connection.
 */
export function cutSlowBodies(
  app: FastifyInstance,
  clock: Clock,
  { bytesPerSecond, overMs }: HttpLimits["slowestBody"],
): void {
  const least = (bytesPerSecond * overMs) / 1000;
  app.addHook("onRequest", ({ raw, log }, reply, done) => {
    const { socket } = raw;
    const hasBody =
      raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"]) > 0;
    if (!hasBody) return done();
    // An injected call has no socket that could be destroyed.
    const isOver = () => raw.complete || socket.destroyed !== false;
    let before = socket.bytesRead;
    const stop = every(clock, overMs, () => {
      if (isOver()) return stop();
      const received = socket.bytesRead - before;
      before = socket.bytesRead;
      if (received >= least) return;
      log.info({ received, overMs }, "The body of a request came too slowly and was cut");
      socket.destroy();
    });
    // The body of a refused call may come on behind its answer.
    reply.raw.once("close", () => isOver() && stop());
    done();
  });
}
