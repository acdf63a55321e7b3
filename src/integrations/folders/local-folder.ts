import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  FolderError,
  isUsableName,
  pickDone,
  pickOldest,
  type Folder,
  type FolderFile,
} from "#integrations/folders/folder.ts";

/** Each before those inside it: a folder is made only in one that is real. */
const FOLDERS = ["", "in", "in/done", "in/refused", "out"];

/**
 * Opens a folder of this machine: incoming files are in `in`, outgoing ones in `out`. None of its folders may be a link, which
 * would lead out of it; that is checked again before each call, since another program may replace one at any time.
 * @param path made when it is missing; its last part is an id, never a text that a user typed
 */
export async function openLocalFolder(path: string): Promise<Folder> {
  const at = (...parts: string[]) => join(path, ...parts);
  const attempt = <T>(work: () => Promise<T>) => explain(() => requireReal(path).then(work));
  await explain(() => makeFolders(path));
  return {
    list: () => attempt(async () => pickOldest(await listFiles(at("in")))),
    listDone: (behind) => attempt(async () => pickDone(await listFiles(at("in", "done")), behind)),
    read: ({ name, size }, from) =>
      attempt(() => readExactly(from ? at("in", from, name) : at("in", name), size)),
    move: (name, to, as) => attempt(() => rename(at("in", name), at("in", to, as))),
    send: (name, bytes) =>
      attempt(async () => {
        const there = await lstat(at("out", name)).catch(ignoreMissing);
        if (there?.isSymbolicLink()) throw new FolderError("linked");
        if (there) return;
        const unfinished = at("out", `.${name}.part`);
        // Left by a process that was killed, or a link.
        await rm(unfinished, { force: true });
        await writeFile(unfinished, bytes, { flag: "wx" });
        await rename(unfinished, at("out", name));
      }),
    close: () => undefined,
  };
}

async function listFiles(path: string): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!entry.isFile() || !isUsableName(entry.name)) continue;
    const { size, mtimeMs } = await lstat(join(path, entry.name));
    files.push({ name: entry.name, size, modifiedAt: Math.trunc(mtimeMs) });
  }
  return files;
}

async function makeFolders(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  for (const name of FOLDERS) {
    await mkdir(join(path, name)).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await requireReal(path, [name]);
  }
}

/** The operator's own folder, in which this one is, may be a link. @throws FolderError `linked` */
async function requireReal(path: string, names: readonly string[] = FOLDERS): Promise<void> {
  const own = join(await realpath(dirname(path)), basename(path));
  for (const name of names)
    if ((await realpath(join(path, name))) !== join(own, name)) throw new FolderError("linked");
}

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

function ignoreMissing(error: unknown): null {
  if (errorCode(error) !== "ENOENT") throw error;
  return null;
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

async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FolderError ? error : new FolderError("folder_refused", { cause: error });
  }
}
