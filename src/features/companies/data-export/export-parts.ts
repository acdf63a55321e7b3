import { createHash } from "node:crypto";
import type { ObjectStore } from "#integrations/objects/object-store.ts";

/** Folder of the files of exports. */
export const EXPORTS = "exports";

/** A store may hold a whole file in memory, so an archive is kept in parts of this size. */
const PART_BYTES = 16 * 1024 * 1024;

type ExportId = { realmId: string; id: string };

const partKey = ({ realmId, id }: ExportId, part: number) => `${EXPORTS}/${realmId}-${id}.${part}`;

/** Id of the export that a stored part belongs to. */
export const exportIdOfPart = (key: string): string => key.slice(key.indexOf("-") + 1, key.lastIndexOf("."));

export type StoredArchive = { parts: number; sizeBytes: number; sha256: string };

/** Stores an archive. Doing it again overwrites its parts. */
export async function storeParts(
  objects: ObjectStore,
  about: ExportId,
  archive: AsyncIterable<Buffer>,
): Promise<StoredArchive> {
  const hash = createHash("sha256");
  const chunks = archive[Symbol.asyncIterator]();
  let [parts, sizeBytes, hasEnded] = [0, 0, false];
  const nextPart = async function* () {
    for (let bytes = 0; bytes < PART_BYTES;) {
      const chunk = await chunks.next();
      hasEnded = chunk.done === true;
      if (chunk.done) return;
      hash.update(chunk.value);
      bytes += chunk.value.length;
      yield chunk.value;
    }
  };
  try {
    while (!hasEnded) {
      const received = await objects.receive(nextPart());
      try {
        await received.keep(partKey(about, parts));
      } finally {
        await received.drop();
      }
      sizeBytes += received.sizeBytes;
      parts += 1;
    }
  } finally {
    // An archive that isn't read to its end has a transaction and a file open.
    await chunks.return?.();
  }
  return { parts, sizeBytes, sha256: hash.digest("hex") };
}

/** Reads a stored archive, a part at a time. */
export async function* readParts(
  objects: ObjectStore,
  about: ExportId,
  parts: number,
): AsyncGenerator<Buffer> {
  for (let part = 0; part < parts; part += 1) yield await objects.read(partKey(about, part));
}
