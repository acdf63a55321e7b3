import { join } from "node:path";
import { createFileStore, type ObjectStore } from "#integrations/objects/file-store.ts";
import type { Config } from "#platform/config/read-config.ts";

/** Opens the store of uploaded files. */
export const openObjects = (config: Config): Promise<ObjectStore> =>
  createFileStore(join(config.dataDir, "objects"));

/** Journal of the serials of labels, which outlives a restore of the database. */
export const serialsPath = (config: Config): string => join(config.dataDir, "label-serials.jsonl");
