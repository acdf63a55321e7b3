import { createHash } from "node:crypto";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import { OperatorError } from "../command.ts";

/** Written last: a folder without it isn't a complete backup. */
const FILE = "manifest.json";

/** A file of a backup: a table, a document, or the journal of promises; nothing outside of the folder. */
const path = z.string().regex(/^(database\/\w+\.copy|objects\/[\w-]+(\/[\w-][\w.-]*)+|promises\.jsonl)$/);

const manifest = z.object({
  format: z.literal(1),
  release: z.string(),
  /** When the database was seen; documents and journal are as they were a little later. */
  madeAt: z.iso.datetime(),
  installation: z.object({ id: z.string(), kind: z.enum(["demo", "real"]) }),
  /** Migrations of its database, in order. */
  migrations: z.array(z.string()),
  /** Keys that its secrets may need; the keys themselves are not in a backup. */
  sealingKeys: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), columns: z.array(z.string()), rows: z.int() })),
  files: z.array(z.object({ path, bytes: z.int(), sha256: z.string() })),
});

/** Content of a backup: versions, times, counts, and a hash of each file. */
export type Manifest = z.output<typeof manifest>;

export const writeManifest = (folder: string, content: Manifest): Promise<void> =>
  writeFile(join(folder, FILE), `${JSON.stringify(content, null, 1)}\n`, { flush: true, mode: 0o600 });

/** Reads the manifest of a folder; null if the folder isn't a complete backup of this format. */
export async function findManifest(folder: string): Promise<Manifest | null> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(folder, FILE), "utf8")));
  } catch {
    return null;
  }
}

/** @throws OperatorError if the folder isn't a complete backup of this format, or belongs to another user */
export async function readManifest(folder: string): Promise<Manifest> {
  const found = await findManifest(folder);
  if (found) return found;
  const isRefused = await access(join(folder, FILE)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "EACCES",
  );
  // Files that are copied out of a container and into another belong to the user who copied them.
  if (isRefused)
    throw new OperatorError(
      `${folder} can't be read by user ${process.getuid?.()}, as whom this runs: change its owner.`,
    );
  throw new OperatorError(
    `${folder} isn't a complete backup: ${FILE} is missing, or this version can't read it. Name the folder of one backup.`,
  );
}

/** Names a key without showing it: keys are random, so their hash leads nowhere. */
export const fingerprintKeys = (keys: SealingKeys) =>
  keys.map(({ id, key }) => ({
    id,
    fingerprint: createHash("sha256").update("dockside sealing key").update(key).digest("hex").slice(0, 16),
  }));
