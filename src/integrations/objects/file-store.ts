import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A stream that was taken in but does not count yet. */
export type Received = {
  sizeBytes: number;
  sha256: string;
  read(): Promise<Buffer>;
  keep(key: string): Promise<void>;
  drop(): Promise<void>;
};

/** Where documents are kept. Keys are ours, `folder/name` of letters, digits, dots and dashes: people's file names never come here. */
export type ObjectStore = {
  receive(stream: AsyncIterable<Buffer | string>): Promise<Received>;
  read(key: string): Promise<Buffer>;
  remove(key: string): Promise<void>;
};

/** No request takes longer than this to send its file. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Documents as files below a folder. A file that `keep` returned for survives a power cut: its bytes and the name it
 * got are both flushed.
 */
export async function createFileStore(folder: string): Promise<ObjectStore> {
  const incoming = join(folder, "incoming");
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await removeForgotten(incoming);
  return {
    receive: (stream) => receive(folder, join(incoming, randomUUID()), stream),
    read: (key) => readFile(pathOf(folder, key)),
    remove: (key) => rm(pathOf(folder, key), { force: true }),
  };
}

/** What a dead process was still receiving was never promised to anyone; a living one beside us may still receive. */
async function removeForgotten(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

async function receive(
  folder: string,
  path: string,
  stream: AsyncIterable<Buffer | string>,
): Promise<Received> {
  const hash = createHash("sha256");
  const file = await open(path, "wx", 0o600);
  const drop = () => rm(path, { force: true });
  try {
    for await (const chunk of stream) {
      hash.update(chunk);
      await file.write(chunk as Buffer);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await drop();
    throw error;
  }
  await file.close();
  return {
    sizeBytes: (await stat(path)).size,
    sha256: hash.digest("hex"),
    read: () => readFile(path),
    keep: (key) => keep(path, pathOf(folder, key)),
    drop,
  };
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  const parent = await open(dirname(to), "r");
  await parent.sync();
  await parent.close();
}

function pathOf(folder: string, key: string): string {
  if (!/^[\w-]+(\/[\w-][\w.-]*)+$/.test(key)) throw new Error(`Not an object key: ${key}`);
  return join(folder, key);
}
