import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

export type StoredExport = {
  realmId: string;
  id: string;
  state: "making" | "made" | "failed";
  requestedBy: string;
  requestedAt: Date;
  files: number;
  parts: number;
  sizeBytes: number | null;
  sha256: string | null;
  expiresAt: Date | null;
};

type ExportId = { realmId: string; id: string };

const COLUMNS = sql`realm_id as "realmId", id, state, requested_by as "requestedBy", requested_at as "requestedAt", files, parts,
  size_bytes as "sizeBytes", sha256, expires_at as "expiresAt"`;

/** Lists the exports of a company, newest first. */
export async function findExports(db: Db, realmId: string): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`select ${COLUMNS} from company_export where realm_id = ${realmId}
    order by requested_at desc, id limit 50`.execute(db);
  return rows;
}

export async function findExport(db: Db, { realmId, id }: ExportId): Promise<StoredExport | null> {
  const { rows } = await sql<StoredExport>`select ${COLUMNS} from company_export
    where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Adds an export. @returns false if one is being made */
export async function addExport(
  tx: Db,
  { realmId, id, by, now }: ExportId & { by: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`insert into company_export (realm_id, id, state, requested_by, requested_at)
    values (${realmId}, ${id}, 'making', ${by}, ${now}) on conflict do nothing returning id`.execute(tx);
  return rows.length > 0;
}

export async function saveProgress(db: Db, { realmId, id }: ExportId, files: number): Promise<void> {
  await sql`update company_export set files = ${files}
    where realm_id = ${realmId} and id = ${id}::uuid and state = 'making'`.execute(db);
}

type WrittenExport = { files: number; parts: number; sizeBytes: number; sha256: string };

/** Ends an export. @param made null if it couldn't be made */
export async function endExport(
  tx: Db,
  { realmId, id }: ExportId,
  { made, now, expiresAt }: { made: WrittenExport | null; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`update company_export set state = ${made ? "made" : "failed"}, files = ${made?.files ?? 0},
      parts = ${made?.parts ?? 0}, size_bytes = ${made?.sizeBytes ?? null}, sha256 = ${made?.sha256 ?? null}, ended_at = ${now}, expires_at = ${expiresAt}
    where realm_id = ${realmId} and id = ${id}::uuid and state = 'making'`.execute(tx);
}

/** Removes the rows of exports that have expired. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await sql`delete from company_export where expires_at <= ${now}`.execute(db);
}

/** Finds which of the given ids are exports that are kept or being made. */
export async function findKept(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from company_export
    where id = any (${[...ids]}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Bytes of the exports of a company that are kept. */
export async function measureExports(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(size_bytes), 0)::bigint as bytes
    from company_export where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
