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
  const path = fileOf(config);
  const made = `k1:${randomBytes(32).toString("base64")}\n`;
  try {
    await writeFile(path, made, { flag: "wx", mode: 0o600, flush: true });
    return parseSealingKeys(made);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return parseSealingKeys(await readFile(path, "utf8"));
  }
}

/** Why the keys that are there already cannot be used, in one sentence that quotes none of them; null when they can. */
export async function findSealingKeysFault(config: Config): Promise<string | null> {
  const path = fileOf(config);
  const text = config.sealingKeys ?? (await readFile(path, "utf8").catch(() => null));
  if (text === null) return null;
  try {
    parseSealingKeys(text);
    return null;
  } catch {
    return config.sealingKeys
      ? "SEALING_KEYS cannot be read: write each key as id:base64 of 32 bytes, separated by commas."
      : `The sealing keys in ${path} cannot be read: put the file back from a backup, because connected companies cannot be reached without it.`;
  }
}

const fileOf = (config: Config) => join(config.dataDir, "sealing-keys");
