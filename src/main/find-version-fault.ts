import type { Db } from "#platform/db/connect.ts";
import { findForeignMigration } from "#platform/db/migrate.ts";

/** Why a database of another version cannot be used, in one sentence; null when it can. */
export async function findVersionFault(db: Db): Promise<string | null> {
  const foreign = await findForeignMigration(db);
  if (!foreign) return null;
  return foreign.isNewer
    ? `This database was made by a newer version of the product (by its migration ${foreign.name}): start that version, or choose an empty DATA_DIR or DATABASE_URL.`
    : `This database is from before the first release (by its migration ${foreign.name}) and can't be brought up to this version: keep the version that made it, or remove the data folder (choose an empty DATA_DIR or DATABASE_URL).`;
}
