import type * as z from "zod";

/**
 * A kind of background work that nobody waits for. `kind` is stored with each job: never rename it. A job whose process was
 * killed is tried again after four hours, by the queue's own rule.
 */
export type Job<P> = { kind: string; payload: z.ZodType<P> };

/** A job kind with what runs for each of its jobs, as the worker takes it. `stop` is aborted when the process shuts down. */
export type BoundJob = { kind: string; run(payload: unknown, stop: AbortSignal): Promise<void> };

/**
 * Defined apart from its handler: whoever adds a job does not load what runs for it.
 * @param handler running it twice must be harmless; once stopped, it finishes the step and returns
 */
export const bindJob = <P, Ctx>(
  { kind, payload }: Job<P>,
  handler: (ctx: Ctx, payload: P, stop: AbortSignal) => Promise<void>,
  ctx: Ctx,
): BoundJob => ({ kind, run: (given, stop) => handler(ctx, payload.parse(given), stop) });
