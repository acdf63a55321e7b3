import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "#platform/errors.ts";

/** An expected document is missing: removed because of its age, or lost. */
export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`There is no stored document ${key}.`);
    this.name = "ObjectMissing";
  }
}

/** No request takes longer than this to send its file. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Stores documents as files in a folder. Keys are ours, `folder/name` of letters, digits, dots and dashes;
 * they never contain users' file names. After `keep` a file survives a power failure: its bytes and its name
 * are flushed.
 */
export async function createFileStore(folder: string) {
  const incoming = join(folder, "incoming");
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await removeForgotten(incoming);
  return {
    /** @throws AppError 503 if the disk is full; `keep` does too */
    receive: (stream: AsyncIterable<Buffer | string>) =>
      receive(folder, join(incoming, randomUUID()), stream),
    /** @throws ObjectMissing if the key has no document */
    read: (key: string) => read(folder, key),
    /** Removes a document; harmless if it is already gone. */
    remove: (key: string) => rm(toPath(folder, key), { force: true }),
    /** Lists the keys of all documents; one may be removed meanwhile. */
    list: () => list(folder),
    /** Lists keys in a folder, for documents stored before a time. */
    listOlder: (below: string, before: Date) => listOlder(folder, below, before),
    /** Whether the documents belong to this database; the first caller claims them. */
    belongsTo: (installationId: string) => belongsTo(join(folder, "installation"), installationId),
  };
}

export type ObjectStore = Awaited<ReturnType<typeof createFileStore>>;

async function read(folder: string, key: string): Promise<Buffer> {
  try {
    return await readFile(toPath(folder, key));
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? new ObjectMissing(key) : error;
  }
}

async function* list(folder: string): AsyncGenerator<string> {
  for (const below of await readdir(folder, { withFileTypes: true })) {
    if (!below.isDirectory() || below.name === "incoming") continue;
    for await (const file of await opendir(join(folder, below.name), { recursive: true }))
      if (file.isFile()) yield relative(folder, join(file.parentPath, file.name)).replaceAll(sep, "/");
  }
}

async function* listOlder(folder: string, below: string, before: Date): AsyncGenerator<string> {
  const entries = await opendir(join(folder, below)).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  for await (const { name } of entries) {
    const { mtime } = await stat(join(folder, below, name)).catch(() => ({ mtime: before }));
    if (mtime < before) yield `${below}/${name}`;
  }
}

async function belongsTo(file: string, installationId: string): Promise<boolean> {
  try {
    await writeFile(file, installationId, { flag: "wx", flush: true });
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return (await readFile(file, "utf8")) === installationId;
  }
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

async function receive(folder: string, path: string, stream: AsyncIterable<Buffer | string>) {
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
  return {
    sizeBytes: (await stat(path)).size,
    sha256: hash.digest("hex"),
    read: () => readFile(path),
    keep: (key: string) => keep(path, toPath(folder, key)),
    drop,
  };
}

/** A received file that is not stored yet. */
export type Received = Awaited<ReturnType<typeof receive>>;

async function keep(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to);
    const parent = await open(dirname(to), "r");
    await parent.sync();
    await parent.close();
  } catch (error) {
    throw storageFailure(error);
  }
}

function toPath(folder: string, key: string): string {
  if (!/^[\w-]+(\/[\w-][\w.-]*)+$/.test(key)) throw new Error(`Not an object key: ${key}`);
  return join(folder, key);
}

/** Reports a full disk to the caller; anything else is our own failure. */
export function storageFailure(error: unknown): unknown {
  if (!["ENOSPC", "EDQUOT"].includes(errorCode(error))) return error;
  return new AppError({
    status: 503,
    code: "storage_full",
    detail:
      "The file couldn't be stored: this server has no space left. Tell its operator, and try again later.",
    retryAfterSeconds: 300,
    cause: error,
  });
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
