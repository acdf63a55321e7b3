import { connectDatabase, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import type { Operator } from "./command.ts";

/** Does something in the first database, which lists the companies of all of them and has their users. */
export async function inFirstDatabase(
  { ctx, places: [first] }: Operator,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  if (!first) throw new Error("There is no database.");
  const { db, close } = connectDatabase(first.connectionString, ctx.log, { ...MIGRATION_LIMITS, max: 1 });
  try {
    await work(db);
  } finally {
    await close();
  }
}
