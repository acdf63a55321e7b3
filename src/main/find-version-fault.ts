import type { Db } from "#platform/db/connect.ts";
import { findForeignMigration } from "#platform/db/migrate.ts";

/** Why a database of another version cannot be used, in one sentence; null when it can. */
export async function findVersionFault(db: Db): Promise<string | null> {
  const name = await findForeignMigration(db);
  return (
    name &&
    `This database was made by another version of the product (by its migration ${name}): start that version, or choose an empty DATA_DIR or DATABASE_URL.`
  );
}
