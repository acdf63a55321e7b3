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
  await sql`insert into error_report (id, source, fingerprint, title, place, release, request_id, received_at, event)
    select * from unnest(${column(({ event }) => event.event_id)}::uuid[], ${column(({ source }) => source)}::text[],
      ${column((report) => report.fingerprint)}::text[], ${column(({ title }) => title)}::text[],
      ${column(({ place }) => place)}::text[], ${column(({ release }) => release)}::text[],
      ${column(({ requestId }) => requestId)}::text[], ${column(({ receivedAt }) => receivedAt)}::timestamptz[],
      ${column(({ event }) => toJson(event))}::jsonb[])
    on conflict (id) do nothing`.execute(db);
}

/** Removes reports received before a time, and all but the newest ones. */
export async function removeReports(
  db: Db,
  { before, keep }: { before: Date; keep: number },
): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from error_report where received_at < greatest(${before}::timestamptz,
    (select received_at from error_report order by received_at desc, id offset ${keep} limit 1))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
