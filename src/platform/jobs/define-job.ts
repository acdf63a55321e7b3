import type * as z from "zod";

/**
 * A kind of background work that nobody waits for. `kind` is stored with each job: never rename it. A job whose process was
 * killed is tried again after four hours, by the queue's own rule.
 */
export type Job<P> = {
  kind: string;
  payload: z.ZodType<P>;
  /** When the clock adds one, as cron writes times in UTC; one that was missed is caught up on for a day. */
  cron: string | null;
};

/** A job kind with what runs for each of its jobs, as the worker takes it. `stop` is aborted when the process shuts down. */
export type BoundJob = {
  kind: string;
  cron: string | null;
  run(payload: unknown, stop: AbortSignal): Promise<void>;
};

/**
 * Defined apart from its handler: whoever adds a job does not load what runs for it.
 * @param handler running it twice must be harmless; once stopped, it finishes the step and returns
 */
export const bindJob = <P, Ctx>(
  { kind, cron, payload }: Job<P>,
  handler: (ctx: Ctx, payload: P, stop: AbortSignal) => Promise<void>,
  ctx: Ctx,
): BoundJob => ({ kind, cron, run: (given, stop) => handler(ctx, payload.parse(given), stop) });
