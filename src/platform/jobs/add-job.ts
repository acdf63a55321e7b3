import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Job } from "#platform/jobs/define-job.ts";

/**
 * Adds a job, in the transaction of `tx` when it is one: it is done only when that commits. After a failure it is tried
 * again, each time later by a factor of e, up to `maxAttempts` times.
 */
export async function addJob<P>(
  tx: Db,
  { kind }: Job<P>,
  { payload, maxAttempts }: { payload: P; maxAttempts: number },
): Promise<void> {
  await sql`select graphile_worker.add_job(${kind}, ${toJson(payload)}::json, max_attempts => ${maxAttempts}::int)`.execute(
    tx,
  );
}
