import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import { openIncoming, storageFailure } from "#integrations/objects/receive-file.ts";
import { requireKey } from "#integrations/objects/rules-key.ts";

/**
 * Stores documents as files in a folder. After `keep` a file survives a power failure: its bytes and its name are flushed.
 */
export async function createFileStore(folder: string): Promise<ObjectStore> {
  const receive = await openIncoming(join(folder, INCOMING), (key, { path }) =>
    keep(path, toPath(folder, key)),
  );
  return {
    receive,
    read: (key) => read(folder, key),
    remove: (key) => rm(toPath(folder, key), { force: true }),
    list: () => list(folder),
    listOlder: (below, before) => listOlder(folder, below, before),
    belongsTo: (installationId) => belongsTo(join(folder, "installation"), installationId),
    // A start finds out whether the folder can be written.
    findFault: () => Promise.resolve(null),
  };
}

const INCOMING = "incoming";

async function read(folder: string, key: string): Promise<Buffer> {
  try {
    return await readFile(toPath(folder, key));
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? new ObjectMissing(key) : error;
  }
}

async function* list(folder: string): AsyncGenerator<string> {
  for (const below of await readdir(folder, { withFileTypes: true })) {
    if (!below.isDirectory() || below.name === INCOMING) continue;
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

const toPath = (folder: string, key: string): string => join(folder, requireKey(key));

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
