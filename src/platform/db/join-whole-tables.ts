import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/**
 * Runs a search that joins all rows of a company with all rows of the same company. PostgreSQL assumes a few rows where it has
 * no statistics, such as for a new company, and would compare each row with each: of 5,000 invoices for
 * seconds. Without nested loops it takes each table once.
 */
export function joinWholeTables<T>(db: Db, search: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    return search(tx);
  });
}
