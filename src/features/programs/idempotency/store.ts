import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

/** One caller's use of a key. `caller` is a user or an API key; `realmId` is empty for calls about no company. */
export type KeyUse = { realmId: string; caller: string; key: string };

/** The answer under a key; `status` is null while the work goes on, and `sealed` if the answer is not given again. */
export type StoredAnswer = {
  fingerprint: Buffer;
  status: number | null;
  headers: Readonly<Record<string, string>> | null;
  sealed: string | null;
};

type Claim = KeyUse & {
  fingerprint: Buffer;
  holder: string;
  now: Date;
  /** Rows claimed before this time are forgotten. */
  keptSince: Date;
  /** The same request may be done again if its work began before this time and has not ended. */
  workingSince: Date;
};

/** Claims a key for a request, in one statement. @returns false if another request has it */
export async function claimKey(db: Db, { realmId, caller, key, ...claim }: Claim): Promise<boolean> {
  const { rows } =
    await sql`insert into kept_answer as kept (realm_id, caller, key, fingerprint, holder, claimed_at)
    values (${realmId}, ${caller}, ${key}, ${claim.fingerprint}, ${claim.holder}, ${claim.now})
    on conflict (realm_id, caller, key) do update set fingerprint = excluded.fingerprint, holder = excluded.holder,
      claimed_at = excluded.claimed_at, status = null, headers = null, body_sealed = null
    where kept.claimed_at <= ${claim.keptSince} or (kept.status is null and kept.claimed_at <= ${claim.workingSince}
      and kept.fingerprint = excluded.fingerprint)
    returning true`.execute(db);
  return rows.length > 0;
}

/** Finds the answer under a key; undefined if its request has just given the key back. */
export async function findAnswer(
  db: Db,
  { realmId, caller, key }: KeyUse,
): Promise<StoredAnswer | undefined> {
  const { rows } = await sql<StoredAnswer>`select fingerprint, status, headers, body_sealed as sealed
    from kept_answer where realm_id = ${realmId} and caller = ${caller} and key = ${key}`.execute(db);
  return rows[0];
}

/** Stores the answer of the request that holds a key. */
export async function storeAnswer(
  db: Db,
  { realmId, caller, key, holder }: KeyUse & { holder: string },
  { status, headers, sealed }: { status: number; headers: Record<string, string>; sealed: string | null },
): Promise<void> {
  await sql`update kept_answer set status = ${status}, headers = ${toJson(headers)}, body_sealed = ${sealed}
    where realm_id = ${realmId} and caller = ${caller} and key = ${key} and holder = ${holder}`.execute(db);
}

/** Answers kept for one caller. */
export type KeptLimits = { count: number; bytes: number };

/** Removes the oldest answers of a caller beyond the limits. */
export async function removeSurplus(
  db: Db,
  { realmId, caller }: KeyUse,
  { count, bytes }: KeptLimits,
): Promise<void> {
  await sql`delete from kept_answer where realm_id = ${realmId} and caller = ${caller} and key in (
    select key from (
      select key, row_number() over newest as place, sum(octet_length(coalesce(body_sealed, ''))) over newest as bytes
      from kept_answer where realm_id = ${realmId} and caller = ${caller} and status is not null
      window newest as (order by claimed_at desc, key)) measured
    where place > ${count} or bytes > ${bytes})`.execute(db);
}

/** Bytes of the answers that are kept for a company. */
export async function measureAnswers(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select coalesce(sum(octet_length(body_sealed)), 0)::bigint as bytes
    from kept_answer where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Gives a key back, so that its request can be sent again. */
export async function releaseKey(
  db: Db,
  { realmId, caller, key, holder }: KeyUse & { holder: string },
): Promise<void> {
  await sql`delete from kept_answer where realm_id = ${realmId} and caller = ${caller} and key = ${key}
    and holder = ${holder} and status is null`.execute(db);
}

/** Removes answers to requests of before a time. */
export async function removeAnswers(db: Db, before: Date): Promise<void> {
  await sql`delete from kept_answer where claimed_at <= ${before}`.execute(db);
}
