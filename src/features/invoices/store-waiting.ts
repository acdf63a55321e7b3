import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { hasJob } from "#platform/jobs/define-job.ts";
import type { UploadId } from "#features/invoices/store.ts";
import type { UploadState } from "#features/invoices/tables.ts";

/** Puts paused uploads of a company back in line, locked in the order of their ids. @returns their ids */
export async function requeuePausedUploads(tx: Db, realmId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update upload set state = 'queued', reason = ''
    where realm_id = ${realmId} and id in (select id from upload
      where realm_id = ${realmId} and state = 'paused' order by id for update)
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Uploads of all companies that are not at their end, and for which no job is there that will run. */
export async function findUploadsWithoutJob(
  db: Db,
  keyPrefix: string,
): Promise<(UploadId & { state: UploadState })[]> {
  const { rows } = await sql<
    UploadId & { state: UploadState }
  >`select realm_id as "realmId", id, state from upload
    where state in ('queued', 'working', 'paused') and not ${hasJob(sql`${keyPrefix}::text || upload.id`)}
    order by uploaded_at`.execute(db);
  return rows;
}
