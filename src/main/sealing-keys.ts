import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#platform/config/schema.ts";
import { parseSealingKeys, type SealingKeys } from "#platform/crypto/seal.ts";

/**
 * Keys from the configuration, else from a file below the data folder, made at the first start and readable by its
 * owner only. They are kept apart from the database on purpose.
 */
export async function loadSealingKeys(config: Config): Promise<SealingKeys> {
  if (config.sealingKeys) return parseSealingKeys(config.sealingKeys);
  const path = join(config.dataDir, "sealing-keys");
  const made = `k1:${randomBytes(32).toString("base64")}\n`;
  try {
    await writeFile(path, made, { flag: "wx", mode: 0o600, flush: true });
    return parseSealingKeys(made);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return parseSealingKeys(await readFile(path, "utf8"));
  }
}
