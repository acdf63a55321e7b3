import type { FastifyInstance } from "fastify";
import { AppError } from "#platform/errors.ts";
import { isReading } from "#platform/http/same-origin.ts";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * Stops accepting requests that change something, and waits for those in progress, mainly uploads. Pages
     * and lists are still served.
     * @param hurry aborted to stop waiting
     */
    finishChanges(hurry: AbortSignal): Promise<void>;
  }
}

/** Adds `finishChanges` to a server. */
export function countChanges(app: FastifyInstance): void {
  let open = 0;
  let isEnding = false;
  let onLast = () => undefined as void;
  app.addHook("onRequest", (request, reply, done) => {
    if (isReading(request)) return done();
    if (isEnding) return done(restarting());
    open += 1;
    reply.raw.once("close", () => {
      open -= 1;
      if (open === 0) onLast();
    });
    done();
  });
  app.decorate("finishChanges", async (hurry: AbortSignal) => {
    isEnding = true;
    if (open === 0 || hurry.aborted) return;
    await new Promise<void>((resolve) => {
      onLast = resolve;
      hurry.addEventListener("abort", () => resolve(), { once: true });
    });
  });
}

const restarting = () =>
  new AppError({
    status: 503,
    code: "restarting",
    detail: "The server is being restarted. Try again in a minute.",
    retryAfterSeconds: 30,
  });
