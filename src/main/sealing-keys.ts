import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findLinkKeys, renewLinkSeals, type CarrierCtx } from "#features/carrier/index.ts";
import { renewAlertSeals } from "#features/packages/index.ts";
import { findFolderKeys, renewFolderSeals, type FoldersCtx } from "#features/orders/index.ts";
import { verifySealingKeys, type KeyFault, renewSeals, type ConnectCtx } from "#features/companies/index.ts";
import { findWebhookKeys, renewWebhookSeals } from "#features/programs/index.ts";
import { ConfigFaults, type Config } from "#platform/config/read-config.ts";
import { parseSealingKeys, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";

/** Reads the keys that exist; none before the first start. */
export async function readSealingKeys(config: Config): Promise<SealingKeys> {
  const given = await readGiven(config);
  return given === null ? [] : parseSealingKeys(given);
}

/**
 * Opens keys from the configuration, else from a file in the data folder, which is created at the first start
 * and readable only by its owner. They are deliberately kept outside the database.
 * @throws ConfigFaults if they can't open the stored tokens: a new key would cost every connection
 */
export async function openSealingKeys(config: Config, db: Db): Promise<SealingKeys> {
  const keys = await readSealingKeys(config);
  const fault = await verifySealingKeys(db, keys, [
    ...(await findLinkKeys(db)),
    ...(await findFolderKeys(db)),
    ...(await findWebhookKeys(db)),
  ]);
  if (fault) throw new ConfigFaults([describeFault(config, fault)]);
  return keys.length > 0 ? keys : makeKeys(config, db);
}

function describeFault(config: Config, { missing, replaced }: KeyFault): string {
  const place = config.sealingKeys ? "SEALING_KEYS" : keyFilePath(config);
  const what = [
    missing.length > 0 ? `lacks the key ${missing.join(", ")}` : null,
    replaced.length > 0 ? `has another key under the id ${replaced.join(", ")}` : null,
  ];
  return `${place} ${what.filter(Boolean).join(" and ")}, and connected companies cannot be reached without it: put the key back from a backup.`;
}

/** If several processes start at once in one folder, one creates the key and all use it. */
async function makeKeys(config: Config, db: Db): Promise<SealingKeys> {
  const made = `k1:${randomBytes(32).toString("base64")}\n`;
  await writeFile(keyFilePath(config), made, { flag: "wx", mode: 0o600, flush: true }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    },
  );
  return openSealingKeys(config, db);
}

/** Explains why keys cannot be used, in one sentence without their text; null if they can. */
export async function findSealingKeysFault(config: Config): Promise<string | null> {
  if (!config.sealingKeys && outlivesMachine(config)) return describeOnlyHere(config);
  try {
    await readSealingKeys(config);
    return null;
  } catch {
    return config.sealingKeys
      ? "SEALING_KEYS cannot be read: write each key as id:base64 of 32 bytes, separated by commas."
      : `The sealing keys in ${keyFilePath(config)} cannot be read: put the file back from a backup, because connected companies cannot be reached without it.`;
  }
}

/**
 * Whether the database outlives this machine, whose folder then must not be the only place of what it needs. With standbys it
 * does, also where its address is that of a proxy here.
 */
export function outlivesMachine({ databaseUrl, standbys }: Config): boolean {
  if (databaseUrl === null) return false;
  if (standbys > 0) return true;
  const { hostname, searchParams } = new URL(databaseUrl);
  // A folder is that of a socket.
  return !/^($|\/|localhost$|127\.|\[?::1\]?$)/.test(searchParams.get("host") ?? hostname);
}

const describeOnlyHere = (config: Config): string =>
  `The database of DATABASE_URL is on another machine or has standbys, and SEALING_KEYS is not set: keys that are only in this machine's ${keyFilePath(config)} would end with it, and every connection with them. Set SEALING_KEYS to what is in that file, or for a new installation to k1: and the output of openssl rand -base64 32, the same on every machine.`;

/** Null if no keys exist yet. An existing file that cannot be read must not look like that. */
const readGiven = async (config: Config): Promise<string | null> =>
  config.sealingKeys ??
  readFile(keyFilePath(config), "utf8").catch((error: unknown) => {
    // A data folder that is actually a file has its own sentence.
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  });

const keyFilePath = (config: Config) => join(config.dataDir, "sealing-keys");

/** The contexts of everything that is sealed. */
export type SealedCtx = { connect: ConnectCtx; carrier: CarrierCtx; folders: FoldersCtx };

/** Seals and signs with the first key what older ones did, so that they can be removed. @returns number of renewed connections */
export async function sealAgain({ connect, carrier, folders }: SealedCtx): Promise<number> {
  await renewLinkSeals(carrier);
  await renewAlertSeals(carrier);
  await renewFolderSeals(folders);
  await renewWebhookSeals(connect);
  return renewSeals(connect);
}
