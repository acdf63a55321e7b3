import { sql } from "kysely";
import { countSerials } from "#formats/gs1/sscc.ts";
import type { Db } from "#platform/db/connect.ts";

/** Whose numbers: those of a prefix with one extension digit. */
export type SerialRange = { realmId: string; prefix: string; extension: number };

/** The next number that the database would give; 0 where none was given yet. */
export async function findStoredSerial(db: Db, { realmId, prefix, extension }: SerialRange): Promise<number> {
  const { rows } = await sql<{ next: number }>`select next_serial as next from label_serial
    where realm_id = ${realmId} and prefix = ${prefix} and extension = ${extension}`.execute(db);
  return rows[0]?.next ?? 0;
}

/** From now on others who need numbers of the range wait until this transaction ends. */
export async function lockSerials(tx: Db, { realmId, prefix, extension }: SerialRange): Promise<void> {
  await sql`insert into label_serial (realm_id, prefix, extension, next_serial)
    values (${realmId}, ${prefix}, ${extension}, 0) on conflict do nothing`.execute(tx);
  await sql`select from label_serial where realm_id = ${realmId} and prefix = ${prefix}
    and extension = ${extension} for update`.execute(tx);
}

/**
 * Takes a block of numbers of a range that is locked.
 * @param least the block begins no earlier
 * @returns its first number, null when so many are not left
 */
export async function takeSerials(
  tx: Db,
  { realmId, prefix, extension }: SerialRange,
  { count, least }: { count: number; least: number },
): Promise<number | null> {
  const { rows } = await sql<{ next: number }>`update label_serial
    set next_serial = greatest(next_serial, ${least}) + ${count}
    where realm_id = ${realmId} and prefix = ${prefix} and extension = ${extension}
      and greatest(next_serial, ${least}) + ${count} <= ${countSerials(prefix)}
    returning next_serial as next`.execute(tx);
  return rows[0] ? rows[0].next - count : null;
}

/** Lets the next number be a later one. @returns false when numbers up to there were given already */
export async function raiseNextSerial(
  tx: Db,
  { realmId, prefix, extension }: SerialRange,
  next: number,
): Promise<boolean> {
  const { rows } = await sql`insert into label_serial (realm_id, prefix, extension, next_serial)
    values (${realmId}, ${prefix}, ${extension}, ${next})
    on conflict (realm_id, prefix, extension) do update set next_serial = excluded.next_serial
      where label_serial.next_serial <= excluded.next_serial
    returning next_serial`.execute(tx);
  return rows.length > 0;
}

/** Prefixes of which a company was given numbers. */
export async function listPrefixes(db: Db, realmId: string): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`select distinct prefix from label_serial
    where realm_id = ${realmId}`.execute(db);
  return rows.map(({ prefix }) => prefix);
}
