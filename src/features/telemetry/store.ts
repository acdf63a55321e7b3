import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { ReportedEvent } from "#features/telemetry/rules-event.ts";

export type ErrorReport = {
  source: "browser" | "server";
  fingerprint: string;
  title: string;
  place: string;
  release: string;
  requestId: string | null;
  receivedAt: Date;
  event: ReportedEvent;
};

/** Stores reports; one that is there already stays as it is. */
export async function addReports(db: Db, reports: readonly ErrorReport[]): Promise<void> {
  const column = <T>(read: (report: ErrorReport) => T) => reports.map(read);
  // In the order of their causes, so that two processes don't wait for each other.
  await sql`with added as (insert into error_report (id, source, fingerprint, title, place, release, request_id, received_at, event)
    select * from unnest(${column(({ event }) => event.event_id)}::uuid[], ${column(({ source }) => source)}::text[],
      ${column((report) => report.fingerprint)}::text[], ${column(({ title }) => title)}::text[],
      ${column(({ place }) => place)}::text[], ${column(({ release }) => release)}::text[],
      ${column(({ requestId }) => requestId)}::text[], ${column(({ receivedAt }) => receivedAt)}::timestamptz[],
      ${column(({ event }) => toJson(event))}::jsonb[])
    on conflict (id) do nothing
    returning fingerprint, received_at)
    insert into error_cause as known (fingerprint, count, first_at, last_at)
    select fingerprint, count(*), min(received_at), max(received_at) from added group by fingerprint order by fingerprint
    on conflict (fingerprint) do update set count = known.count + excluded.count,
      last_at = greatest(known.last_at, excluded.last_at)`.execute(db);
}

/** Removes reports received before a time, and all but the newest ones, and causes of which none is left. */
export async function removeReports(
  db: Db,
  { before, keep }: { before: Date; keep: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`with removed as (
      delete from error_report where received_at < greatest(${before}::timestamptz,
        (select received_at from error_report order by received_at desc, id offset ${keep} limit 1))
      returning fingerprint),
    changed as (
      update error_cause c set count = c.count - gone.count
      from (select fingerprint, count(*) as count from removed group by fingerprint) gone
      where gone.fingerprint = c.fingerprint)
    select count(*) as removed from removed`.execute(db);
  await sql`delete from error_cause where count <= 0`.execute(db);
  return rows[0]?.removed ?? 0;
}
