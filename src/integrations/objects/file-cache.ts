import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#platform/clock.ts";

type Limits = {
  /** Bytes of all kept files together. */
  maxBytes: number;
  maxAgeMs: number;
};

/** Ending of a file that is being written. */
const UNFINISHED = ".part";

/** No file takes longer to write; an older unfinished one was left by a process that was killed. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Keeps files that could be written again, below a folder of their own: the newest ones within the limits. Files of earlier
 * starts are removed, since another version may write them differently.
 */
export async function createFileCache(folder: string, { clock, ...limits }: Limits & { clock: Clock }) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sweep = (maxBytes: number) =>
    removeOld(folder, { maxBytes, maxAgeMs: limits.maxAgeMs, now: clock.now().getTime() });
  await sweep(0);
  return {
    /** Opens the file of a name; null when it is not kept. */
    find: (name: string): Promise<FileHandle | null> =>
      open(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    /** Keeps what `write` writes to a path under a name, and opens it. An open file stays readable when it is removed. */
    add: async (name: string, write: (path: string) => Promise<unknown>): Promise<FileHandle> => {
      const path = join(folder, `${name}.${randomUUID()}${UNFINISHED}`);
      try {
        await write(path);
        const file = await open(path);
        await rename(path, join(folder, name));
        await sweep(limits.maxBytes);
        return file;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    /** Removes files over the limits. */
    removeOld: () => sweep(limits.maxBytes),
  };
}

export type FileCache = Awaited<ReturnType<typeof createFileCache>>;

async function removeOld(
  folder: string,
  { maxBytes, maxAgeMs, now }: Limits & { now: number },
): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      // Another process may remove it at the same time.
      const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: now }));
      return { name, size, ageMs: now - mtimeMs, isUnfinished: name.endsWith(UNFINISHED) };
    }),
  );
  let bytes = 0;
  for (const { name, size, ageMs, isUnfinished } of files.toSorted((a, b) => a.ageMs - b.ageMs)) {
    if (!isUnfinished) bytes += size;
    if (isUnfinished ? ageMs > FORGOTTEN_MS : bytes > maxBytes || ageMs > maxAgeMs)
      await rm(join(folder, name), { force: true });
  }
}
