import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

const OWN = "('kysely_migration', 'kysely_migration_lock')";

/** Runs a statement for every table; `@` stands for its name. */
const forTables = (statement: string) =>
  sql`${sql.raw(`do $$ declare named record; begin
  set local session_replication_role = replica;
  for named in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and relname not in ${OWN}
  loop execute replace('${statement}', '@', quote_ident(named.relname)); end loop; end $$`)}`;

/**
 * Backs up the rows of a database, as a dump without its tables does.
 * @returns a function that puts them back while the product runs: tables are emptied and filled
 */
export async function copyRows(db: Db): Promise<() => Promise<void>> {
  await sql`create schema backup`.execute(db);
  await forTables("create table backup.@ as table public.@").execute(db);
  return async () => {
    await db.transaction().execute(async (tx) => {
      await forTables("truncate public.@ cascade").execute(tx);
      await forTables("insert into public.@ overriding system value select * from backup.@").execute(tx);
    });
    await sql`drop schema backup cascade`.execute(db);
  };
}
