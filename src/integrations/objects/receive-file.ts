import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { requireKey } from "#integrations/objects/rules-key.ts";
import { AppError } from "#platform/errors.ts";

/** No request takes longer than this to send its file. */
const FORGOTTEN_MS = 3_600_000;

/** Stores a received file under a key. */
type Keep = (key: string, file: { path: string; sizeBytes: number; sha256: string }) => Promise<void>;

/** Opens a folder for files that are being received. @returns a function that receives one */
export async function openIncoming(folder: string, keep: Keep) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeForgotten(folder);
  return (stream: AsyncIterable<Buffer | string>): Promise<Received> =>
    receive(join(folder, randomUUID()), stream, keep);
}

/**
 * Removes old uploads of dead processes, which were never acknowledged; a process running in parallel may
 * still be receiving.
 */
async function removeForgotten(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

async function receive(path: string, stream: AsyncIterable<Buffer | string>, keep: Keep) {
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const drop = () => rm(path, { force: true });
  try {
    // A stream that opens the file itself might still do so after the file was dropped.
    const file = await open(path, "wx", 0o600);
    await pipeline(hashed, file.createWriteStream({ flush: true }));
  } catch (error) {
    await drop();
    throw storageFailure(error);
  }
  const facts = { path, sizeBytes: (await stat(path)).size, sha256: hash.digest("hex") };
  return {
    ...facts,
    read: () => readFile(path),
    /** @throws AppError 507 if the disk is full, 503 if the store can't be reached */
    keep: (key: string) => keep(requireKey(key), facts),
    drop,
  };
}

/** A received file that is not stored yet. */
export type Received = Awaited<ReturnType<typeof receive>>;

/** Reports a full disk to the caller; anything else is our own failure. */
export function storageFailure(error: unknown): unknown {
  if (!["ENOSPC", "EDQUOT"].includes(errorCode(error))) return error;
  return new AppError({
    status: 507,
    code: "storage_full",
    detail:
      "The file couldn't be stored: this server has no space left. Tell its operator, and try again later.",
    retryAfterSeconds: 300,
    cause: error,
  });
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
