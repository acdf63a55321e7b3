import { constants } from "node:fs";
import { access, lstat, mkdir, open, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  FolderError,
  isUsableName,
  MAX_FILES,
  type Folder,
  type FolderFile,
} from "#integrations/folders/folder.ts";

/**
 * Opens a folder of this machine: incoming files are in `in`, outgoing ones in `out`.
 * @param path made when it is missing; its last part is an id, never a text that a user typed
 */
export async function openLocalFolder(path: string): Promise<Folder> {
  const at = (...parts: string[]) => join(path, ...parts);
  await attempt(async () => {
    for (const name of ["in", "in/done", "in/refused", "out"]) await mkdir(at(name), { recursive: true });
  });
  return {
    list: () =>
      attempt(async () => {
        const files: FolderFile[] = [];
        for (const entry of await readdir(at("in"), { withFileTypes: true })) {
          if (!entry.isFile() || !isUsableName(entry.name) || files.length === MAX_FILES) continue;
          const { size, mtimeMs } = await lstat(at("in", entry.name));
          files.push({ name: entry.name, size, modifiedAt: Math.trunc(mtimeMs) });
        }
        return files;
      }),
    read: ({ name, size }) => attempt(() => readExactly(at("in", name), size)),
    move: (name, to, as) => attempt(() => rename(at("in", name), at("in", to, as))),
    send: (name, bytes) =>
      attempt(async () => {
        const isThere = await access(at("out", name)).then(
          () => true,
          () => false,
        );
        if (isThere) return;
        await writeFile(at("out", `.${name}.part`), bytes);
        await rename(at("out", `.${name}.part`), at("out", name));
      }),
    close: () => undefined,
  };
}

/** A link would lead out of the folder, so it is not followed. */
async function readExactly(path: string, size: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(size + 1);
    const { bytesRead } = await file.read(bytes, 0, size + 1, 0);
    if (bytesRead !== size) throw new FolderError("sizes_differ");
    return bytes.subarray(0, size);
  } finally {
    await file.close();
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FolderError ? error : new FolderError("folder_refused", { cause: error });
  }
}
