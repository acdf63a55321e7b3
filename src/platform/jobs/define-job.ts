import { sql, type RawBuilder } from "kysely";
import type * as z from "zod";
import type { Db } from "#platform/db/connect.ts";

/** What a running job knows of itself. `stop` is aborted when the process shuts down: finish the step and return. */
export type JobRun = { attempt: number; isLastAttempt: boolean; stop: AbortSignal };

/** How long after a failed attempt the next one begins, in ms: the rule of graphile-worker. */
export const retryAfterMs = ({ attempt }: JobRun): number => Math.exp(Math.min(attempt, 10)) * 1000;

/** A kind of background work. `kind` is stored with each job: never rename it. Running it twice must be harmless. */
export type Job<P, Ctx> = {
  kind: string;
  payload: z.ZodType<P>;
  maxAttempts: number;
  run(ctx: Ctx, payload: P, run: JobRun): Promise<void>;
};

/** Another worker has taken the job meanwhile: this one ends without completing it, or the job would be gone. */
export class JobTaken extends Error {
  override name = "JobTaken";
}

export function defineJob<P, Ctx>(job: Job<P, Ctx>): Job<P, Ctx> {
  return job;
}

/** A job kind with the context it runs in, as the worker takes it. */
export type BoundJob = {
  kind: string;
  run(payload: unknown, run: JobRun): Promise<void>;
};

export function bindJob<P, Ctx>(job: Job<P, Ctx>, ctx: Ctx): BoundJob {
  return { kind: job.kind, run: (payload, run) => job.run(ctx, job.payload.parse(payload), run) };
}

type Wish<P> = {
  payload: P;
  /** Jobs of one queue run one at a time, in order. */
  queue?: string;
  /** A waiting job of the same key is replaced, not doubled. */
  key?: string;
  runAt?: Date | undefined;
};

/** Adds a job, in the transaction of `db` when it is one: the job exists exactly when the transaction commits. */
export async function addJob<P, Ctx>(db: Db, job: Job<P, Ctx>, wish: Wish<P>): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${job.kind}::text,
    payload => ${JSON.stringify(wish.payload)}::json,
    queue_name => ${wish.queue ?? null}::text,
    run_at => ${wish.runAt ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts}::int,
    job_key => ${wish.key ?? null}::text
  )`.execute(db);
}

/**
 * In a query: whether a job of a key runs now or will; one that failed for good does neither.
 * @param key names its columns with their tables: within this they would be those of the job
 */
export const hasJob = (key: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from graphile_worker._private_jobs where key = ${key}
    and (locked_at is not null or attempts < max_attempts))`;
