import { crc32, deflateRawSync } from "node:zlib";
import type { Archive } from "../guard.ts";

/** The first day ZIP knows, so that the same workbook gives the same bytes. */
const FIRST_DAY = 0x21;

/**
 * The archive with some parts replaced, or left out where the replacement is null. All others keep their packed bytes.
 * @param replaced new contents by lower-case name
 * @see PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16
 */
export function replaceParts(archive: Archive, replaced: ReadonlyMap<string, Buffer | null>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [key, entry] of archive.entries) {
    const content = replaced.get(key);
    if (content === null) continue;
    const packed = content
      ? deflateRawSync(content)
      : archive.bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize);
    const { method, crc, size } = content
      ? { method: 8, crc: crc32(content), size: content.length }
      : { method: entry.method, crc: entry.crc32, size: entry.size };
    const name = Buffer.from(entry.name);
    // From the version needed to the length of the extra field, of which there is none.
    const fields = record("2222244422", [
      20,
      0x800,
      method,
      0,
      FIRST_DAY,
      crc,
      packed.length,
      size,
      name.length,
      0,
    ]);
    const local = Buffer.concat([record("4", [0x04034b50]), fields, name]);
    directory.push(record("42", [0x02014b50, 20]), fields, record("22244", [0, 0, 0, 0, at]), name);
    pieces.push(local, packed);
    at += local.length + packed.length;
  }
  const count = directory.length / 4;
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = record("42222442", [0x06054b50, 0, 0, count, count, size, at, 0]);
  return Buffer.concat([...pieces, ...directory, end]);
}

/** Numbers one behind the other, the lowest byte first. @param sizes how many bytes each has, 2 or 4 */
function record(sizes: string, values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value, index) => {
      const bytes = Buffer.alloc(Number(sizes[index]));
      bytes.writeUIntLE(value, 0, bytes.length);
      return bytes;
    }),
  );
}
