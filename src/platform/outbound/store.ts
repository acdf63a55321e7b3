import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** Limits of a key; each figure is a sliding window. */
export type BudgetRules = {
  requestsPerMinute: number;
  /** Calls that may reach the vendor within any second, at any point between their start and end. */
  requestsPerSecond: number;
  /** Concurrent calls. */
  inFlight: number;
  /** Batches that may reach the vendor within any minute; they count as requests too. */
  batchesPerMinute: number;
};

export type LeaseKind = "request" | "batch";
type LeaseRequest = {
  id: string;
  holder: string;
  key: string;
  kind: LeaseKind;
  now: Date;
  rules: BudgetRules;
};

/** `retryAt` is null with a refused lease if only the end of a running call can free capacity. */
export type LeaseAnswer = { granted: boolean; retryAt: Date | null };

/** Longer than any call may take: a lease this old belongs to a dead process. */
export const LEASE_LIFE_MS = 130_000;

/** Takes a lease, or returns when to ask again, in one round trip and one short transaction. */
export async function takeLease(
  db: Db,
  { id, holder, key, kind, now, rules }: LeaseRequest,
): Promise<LeaseAnswer> {
  const { rows } = await sql<LeaseAnswer>`select granted, retry_at as "retryAt" from take_outbound_lease(
    ${id}, ${holder}, ${key}, ${kind}, ${now}, ${rules.requestsPerMinute}::int, ${rules.requestsPerSecond}::int,
    ${rules.inFlight}::int, ${rules.batchesPerMinute}::int)`.execute(db);
  if (!rows[0]) throw new Error("take_outbound_lease gave no row");
  return rows[0];
}

/** Releases a lease without waiting for the disk: one lost in a crash expires by itself. */
export async function releaseLease(db: Db, id: string, now: Date): Promise<void> {
  await sql`
    with quick as (select set_config('synchronous_commit', 'off', true))
    update outbound_lease set released_at = greatest(${now}, taken_at) from quick where id = ${id} and released_at is null`.execute(
    db,
  );
}

/** Ends the leases of dead processes, which would otherwise count as running calls. */
export async function releaseLeasesHeldBy(db: Db, holders: readonly string[]): Promise<void> {
  await sql`update outbound_lease l set released_at = greatest(l.taken_at, b.newest_at) from outbound_budget b
    where b.key = l.key and l.released_at is null and l.holder = any(${[...holders]}::text[])`.execute(db);
}

/** Adds calls to a vendor's day. @param day YYYY-MM-DD @returns the calls of its month, these included */
export async function addMeteredCalls(
  db: Db,
  { vendor, day, calls }: { vendor: string; day: string; calls: number },
): Promise<number> {
  const { rows } = await sql<{ month: number }>`
    insert into metered_calls as m (vendor, day, calls) values (${vendor}, ${day}, ${calls})
    on conflict (vendor, day) do update set calls = m.calls + excluded.calls
    returning m.calls + (select coalesce(sum(o.calls), 0) from metered_calls o where o.vendor = m.vendor
      and o.day <> m.day and o.day >= date_trunc('month', m.day) and o.day < date_trunc('month', m.day) + interval '1 month'
    )::int as month`.execute(db);
  return rows[0]?.month ?? 0;
}

/** Counts a vendor's saved calls of the UTC month of a time; the last few of each process are not saved yet. */
export async function countMeteredCalls(db: Db, vendor: string, now: Date): Promise<number> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const { rows } = await sql<{
    calls: number;
  }>`select coalesce(sum(calls), 0)::int as calls from metered_calls
    where vendor = ${vendor} and day >= ${month}::date and day < ${month}::date + interval '1 month'`.execute(
    db,
  );
  return rows[0]?.calls ?? 0;
}

/** Blocks a key until a time; an earlier time never shortens a pause. */
export async function pauseKey(
  db: Db,
  key: string,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await sql`
    insert into outbound_budget as b (key, newest_at, paused_until) values (${key}, ${now}, ${until})
    on conflict (key) do update set paused_until = greatest(b.paused_until, excluded.paused_until)`.execute(
    db,
  );
}

/** Removes leases that no window counts any more, for keys that are not in use. */
export async function forgetOldLeases(db: Db, now: Date): Promise<void> {
  await sql`delete from outbound_lease where taken_at < ${new Date(now.getTime() - 2 * LEASE_LIFE_MS)}`.execute(
    db,
  );
}
