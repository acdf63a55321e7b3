import type * as z from "zod";

/** What a running job knows of itself. `stop` is aborted when the process shuts down: finish the step and return. */
export type JobRun = { attempt: number; isLastAttempt: boolean; stop: AbortSignal };

/**
 * A kind of background work that nobody waits for. `kind` is stored with each job: never rename it. A job whose process was
 * killed is tried again after four hours, by the queue's own rule.
 */
export type Job<P> = { kind: string; payload: z.ZodType<P>; maxAttempts: number };

/** A kind with what runs for each of its jobs. Running it twice must be harmless. */
export type JobHandler<P, Ctx> = Job<P> & { run(ctx: Ctx, payload: P, run: JobRun): Promise<void> };

/** Defines a kind apart from its handler: whoever adds a job does not load what runs for it. */
export const defineJob = <P>(job: Job<P>): Job<P> => job;

export const handleJob = <P, Ctx>(job: Job<P>, run: JobHandler<P, Ctx>["run"]): JobHandler<P, Ctx> => ({
  ...job,
  run,
});

/** A job kind with the context it runs in, as the worker takes it. */
export type BoundJob = {
  kind: string;
  run(payload: unknown, run: JobRun): Promise<void>;
};

export const bindJob = <P, Ctx>(handler: JobHandler<P, Ctx>, ctx: Ctx): BoundJob => ({
  kind: handler.kind,
  run: (payload, run) => handler.run(ctx, handler.payload.parse(payload), run),
});
