import { join } from "node:path";
import type { Config } from "#platform/config/read-config.ts";
import { HOME } from "#platform/cells.ts";

/** A database for companies, with the configuration of those who work on it. */
export type CellPlace = { cell: string; config: Config; connectionString: string };

/**
 * Lists the databases of a configuration, the first one first. The stored files and the journal of a further one are below a
 * folder of its own, `cells/NAME`, since a nightly run removes files that its database doesn't name.
 */
export function listCells(config: Config, connectionString: string): CellPlace[] {
  const further = config.cells.map(({ name, url }) => ({
    cell: name,
    connectionString: url,
    config: {
      ...config,
      databaseUrl: url,
      // Another user for migrations is one of the first database.
      migrationUrl: null,
      dataDir: join(config.dataDir, "cells", name),
      objects: config.objects && { ...config.objects, below: `cells/${name}/` },
    },
  }));
  return [{ cell: HOME, config, connectionString }, ...further];
}
