import { sql } from "kysely";
import type { StoreLimits } from "#features/telemetry/limits.ts";
import type { Db } from "#platform/db/connect.ts";

type Recording = {
  /** Id of its error report: 32 hexadecimal digits. */
  id: string;
  page: string;
  release: string;
  userEmail: string | null;
  receivedAt: Date;
  startedAt: Date;
  endedAt: Date;
  eventCount: number;
  /** JSON, compressed with gzip. */
  events: Buffer;
};

/** Stores a recording, in place of the oldest ones of its user beyond the limits; one that is already stored stays as it is. */
export async function addRecording(db: Db, recording: Recording, limits: StoreLimits): Promise<void> {
  await sql`insert into recording (id, page, release, user_email, received_at, started_at, ended_at, event_count, events)
    values (${recording.id}::uuid, ${recording.page}, ${recording.release}, ${recording.userEmail}, ${recording.receivedAt}, ${recording.startedAt},
      ${recording.endedAt}, ${recording.eventCount}, ${recording.events})
    on conflict (id) do nothing`.execute(db);
  await removeRecordings(db, { of: { user: recording.userEmail }, limits });
}

export type FoundRecording = Pick<Recording, "page" | "release" | "userEmail" | "startedAt"> & {
  /** Title of its error report; null when that is no longer there. */
  title: string | null;
};

/** Finds what is known of a recording besides its events. */
export async function findRecording(db: Db, id: string): Promise<FoundRecording | null> {
  const { rows } = await sql<FoundRecording>`select r.page, r.release, r.user_email as "userEmail",
      r.started_at as "startedAt", e.title
    from recording r left join error_report e using (id) where r.id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Finds the compressed events of a recording. */
export async function findEvents(db: Db, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{
    events: Buffer;
  }>`select events from recording where id = ${id}::uuid`.execute(db);
  return rows[0]?.events ?? null;
}

type Removal = {
  /** All recordings, or those of the user with this e-mail address; null means guests. */
  of: "all" | { user: string | null };
  before?: Date;
  limits: StoreLimits;
};

/** Removes recordings received before a time, and the oldest of those beyond the limits. */
export async function removeRecordings(db: Db, { of, before, limits }: Removal): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from recording where received_at < ${before ?? null}::timestamptz
    or id in (select id from (
      select id, row_number() over newest as place, sum(octet_length(events)) over newest as bytes
      from recording where ${matchOwner(of)} window newest as (order by received_at desc, id)) measured
    where place > ${limits.count} or bytes > ${limits.bytes})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function matchOwner(of: Removal["of"]) {
  if (of === "all") return sql`true`;
  return of.user === null ? sql`lower(user_email) is null` : sql`lower(user_email) = lower(${of.user})`;
}
