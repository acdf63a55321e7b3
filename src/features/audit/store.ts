import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

/** Who acts, for which company, by which request; null for guests and for what belongs to no company. */
export type Actor = { userId: string | null; realmId: string | null; requestId: string };

export type Facts = Record<string, unknown>;

/** What was done: a code, the ids of what it was done to, and what was there before and after where that is small. */
export type Action = { action: `${string}.${string}`; ids?: Facts; before?: Facts; after?: Facts };

/** Adds an entry; the table takes nothing else. */
export async function addEntry(
  db: Db,
  { userId, realmId, requestId, id, at }: Actor & { id: string; at: Date },
  { action, ids = {}, before, after }: Action,
): Promise<void> {
  await sql`insert into audit_entry (realm_id, at, id, user_id, action, ids, before, after, request_id)
    values (${realmId ?? ""}, ${at}, ${id}, ${userId}, ${action}, ${toJson(ids)}, ${before && toJson(before)},
      ${after && toJson(after)}, ${requestId})`.execute(db);
}
