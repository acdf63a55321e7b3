import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { StoreLimits } from "#features/telemetry/limits.ts";
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

/** Stores reports; one that is already stored stays as it is. */
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

/** A cause with the facts of its latest report; one that only guests reported has whatever they sent. */
export type NewCause = { title: string; place: string; count: number; isOfGuests: boolean };

/**
 * Takes the causes that operators weren't mailed about, the most frequent first. They are locked in the order in which
 * reports are added.
 */
export async function takeNewCauses(tx: Db, now: Date): Promise<NewCause[]> {
  const { rows } = await sql<NewCause>`with due as (
      select fingerprint from error_cause where mailed_at is null order by fingerprint for update),
    fresh as (
      update error_cause c set mailed_at = ${now} from due where due.fingerprint = c.fingerprint
      returning c.fingerprint, c.count)
    select report.title, report.place, fresh.count, not report.is_known as "isOfGuests"
    from fresh cross join lateral (
      select title, place, source = 'server' or event #>> '{user,email}' is not null as is_known
      from error_report r where r.fingerprint = fresh.fingerprint
      order by is_known desc, received_at desc limit 1) report
    order by fresh.count desc, report.title`.execute(tx);
  return rows;
}

type Removal = {
  /** All reports, or those of the user with this e-mail address; null means guests. */
  of: "all" | { user: string | null };
  before?: Date;
  limits: StoreLimits;
};

/** Removes reports received before a time, and the oldest of those beyond the limits; and causes without a report left. */
export async function removeReports(db: Db, { of, before, limits }: Removal): Promise<number> {
  const { rows } = await sql<{ removed: number }>`with measured as (
      select id, row_number() over newest as place, sum(pg_column_size(event)) over newest as bytes
      from error_report where ${matchOwner(of)} window newest as (order by received_at desc, id)),
    removed as (
      delete from error_report where received_at < ${before ?? null}::timestamptz
        or id in (select id from measured where place > ${limits.count} or bytes > ${limits.bytes})
      returning fingerprint),
    changed as (
      update error_cause c set count = c.count - gone.count
      from (select fingerprint, count(*) as count from removed group by fingerprint) gone
      where gone.fingerprint = c.fingerprint)
    select count(*) as removed from removed`.execute(db);
  await sql`delete from error_cause where count <= 0`.execute(db);
  return rows[0]?.removed ?? 0;
}

function matchOwner(of: Removal["of"]) {
  if (of === "all") return sql`true`;
  const email = sql`lower(event #>> '{user,email}')`;
  const isUsers = of.user === null ? sql`${email} is null` : sql`${email} = lower(${of.user})`;
  return sql`source = 'browser' and ${isUsers}`;
}
