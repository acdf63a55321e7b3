import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** Rights that the product needs on each of its tables. */
const RIGHTS = ["select", "insert", "update", "delete"] as const;

/**
 * Lets another role read and write all tables, but not alter them.
 * @param canEmpty whether it may also truncate tables, as a reset of the demo does
 */
export async function grantRights(db: Db, user: string, canEmpty: boolean): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const [schema, role] = [sql.id(rows[0]?.schema ?? "public"), sql.id(user)];
  const rights = sql.raw([...RIGHTS, ...(canEmpty ? ["truncate"] : [])].join(", "));
  await sql`grant usage on schema ${schema} to ${role}`.execute(db);
  await sql`grant ${rights} on all tables in schema ${schema} to ${role}`.execute(db);
}

/** Finds a right that the current user lacks on a table; null if it has all. @returns such as "update on run" */
export async function findMissingRight(db: Db): Promise<string | null> {
  const { rows } = await sql<{ missing: string }>`select privilege || ' on ' || relname as missing
    from pg_class, unnest(${[...RIGHTS]}::text[]) as privilege
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and not has_table_privilege(oid, privilege)
    order by relname limit 1`.execute(db);
  return rows[0]?.missing ?? null;
}
