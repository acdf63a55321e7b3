import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

const OWN = "('kysely_migration', 'kysely_migration_lock')";

/** Runs a statement for every table; `@` stands for its name, `#` for its columns that are not generated. */
const forTables = (statement: string) =>
  sql`${sql.raw(`do $$ declare named record; begin
  set local session_replication_role = replica;
  for named in select relname, (select string_agg(quote_ident(attname), ', ') from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ${OWN}
  loop execute replace(replace('${statement}', '@', quote_ident(named.relname)), '#', named.columns);
  end loop; end $$`)}`;

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
      await forTables("insert into public.@ (#) overriding system value select # from backup.@").execute(tx);
    });
    await sql`drop schema backup cascade`.execute(db);
  };
}
