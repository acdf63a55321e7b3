import { ConfigFaults, type Config } from "#platform/config/read-config.ts";
import { connectDatabase, MIGRATION_LIMITS } from "#platform/db/connect.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { findMissingRight, grantRights } from "#platform/db/rights.ts";
import type { Log } from "#platform/log.ts";
import { describeRightsFault, findVersionFault } from "./find-database-fault.ts";

type Opened = { config: Config; connectionString: string; log: Log };

/**
 * Brings the database up to this version, as the user of MIGRATION_DATABASE_URL if one is set, and makes sure that the user of
 * DATABASE_URL can work with it.
 * @throws ConfigFaults if the database is newer, or a user lacks a right
 */
export async function migrate({ config, connectionString, log }: Opened): Promise<void> {
  const { db, close } = connectDatabase(config.migrationUrl ?? connectionString, log, MIGRATION_LIMITS);
  try {
    const versionFault = await findVersionFault(db);
    if (versionFault) throw new ConfigFaults([versionFault]);
    await migrateDatabase(db);
    if (config.migrationUrl) await grantRights(db, readUser(connectionString), config.simulators !== null);
  } catch (error) {
    throw asFault(config, config.migrationUrl ? "MIGRATION_DATABASE_URL" : "DATABASE_URL", error);
  } finally {
    await close();
  }
  await requireRights({ config, connectionString, log });
}

async function requireRights({ config, connectionString, log }: Opened): Promise<void> {
  const { db, close } = connectDatabase(connectionString, log, MIGRATION_LIMITS);
  try {
    const missing = await findMissingRight(db);
    if (missing) throw new ConfigFaults([describeRightsFault(config, "DATABASE_URL", `it lacks ${missing}`)]);
  } catch (error) {
    throw asFault(config, "DATABASE_URL", error);
  } finally {
    await close();
  }
}

/** PostgreSQL's codes for a right that is missing, and for a user without any schema. */
const NO_RIGHT = ["42501", "3F000"];

function asFault(config: Config, variable: "DATABASE_URL" | "MIGRATION_DATABASE_URL", error: unknown) {
  const { code, message } = error as { code?: string; message: string };
  if (!NO_RIGHT.includes(code ?? "")) return error;
  return new ConfigFaults([describeRightsFault(config, variable, message)]);
}

const readUser = (url: string) => decodeURIComponent(new URL(url).username);
