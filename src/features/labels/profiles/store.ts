import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { ProfileContent } from "#features/labels/profiles/contract.ts";

/** A company's own profile as it is stored. */
export type StoredProfile = { id: string; name: string; version: number; content: ProfileContent };
export type ProfileId = { realmId: string; id: string };

/** By name. */
export async function listOwnProfiles(db: Db, realmId: string): Promise<StoredProfile[]> {
  const { rows } = await sql<StoredProfile>`select id, name, version, content from label_profile
    where realm_id = ${realmId} order by lower(name), id`.execute(db);
  return rows;
}

/** Locked until the transaction ends. */
export async function lockProfile(tx: Db, { realmId, id }: ProfileId): Promise<StoredProfile | null> {
  const { rows } = await sql<StoredProfile>`select id, name, version, content from label_profile
    where realm_id = ${realmId} and id = ${id}::uuid for update`.execute(tx);
  return rows[0] ?? null;
}

/** @returns false when another profile of the company has the name */
export async function saveProfile(
  tx: Db,
  realmId: string,
  { id, name, version, content }: StoredProfile,
): Promise<boolean> {
  const { rows } = await sql`insert into label_profile (realm_id, id, name, version, content)
    select ${realmId}, ${id}::uuid, ${name}, ${version}, ${toJson(content)}::jsonb
    where not exists (select from label_profile
      where realm_id = ${realmId} and lower(name) = lower(${name}) and id <> ${id}::uuid)
    on conflict (realm_id, id) do update
      set name = excluded.name, version = excluded.version, content = excluded.content
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function deleteProfile(tx: Db, { realmId, id }: ProfileId): Promise<void> {
  await sql`delete from label_profile where realm_id = ${realmId} and id = ${id}::uuid`.execute(tx);
}
