import { seal, unseal, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { findKeyChecks, findUsedKeyIds, saveKeyCheck } from "#features/companies/store-sealing.ts";

/** Keys that are needed for connections in use: `missing` are not there, `replaced` are other keys under the same ids. */
export type KeyFault = { missing: string[]; replaced: string[] };

/**
 * Compares the keys of this process with what is stored, and remembers them for later starts.
 * @returns null when they open the tokens of every connection in use
 */
export async function verifySealingKeys(db: Db, keys: SealingKeys): Promise<KeyFault | null> {
  const used = new Set(await findUsedKeyIds(db));
  const checks = await findKeyChecks(db);
  const opens = ({ id, key }: SealingKeys[number]) => {
    const sealed = checks.get(id);
    try {
      return sealed === undefined || unseal([{ id, key }], PURPOSE, sealed) === CHECK;
    } catch {
      return false;
    }
  };
  const missing = [...used].filter((id) => !keys.some((key) => key.id === id));
  const replaced = keys.filter((key) => used.has(key.id) && !opens(key)).map(({ id }) => id);
  if (missing.length + replaced.length > 0) return { missing, replaced };
  for (const key of keys) {
    // A key whose id nothing uses any more may be a new one.
    if (!checks.has(key.id) || !opens(key)) await saveKeyCheck(db, key.id, seal([key], PURPOSE, CHECK));
  }
  return null;
}

const PURPOSE = "sealing key";
const CHECK = "opens";
