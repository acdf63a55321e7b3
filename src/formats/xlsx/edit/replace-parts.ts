import { crc32, deflateRawSync } from "node:zlib";
import type { Archive } from "../guard.ts";
import type { Entry } from "../zip-directory.ts";

/**
 * The archive with some parts replaced, or left out where the replacement is null. All others keep their packed bytes.
 * @param replaced new contents by lower-case name
 */
export function replaceParts(archive: Archive, replaced: ReadonlyMap<string, Buffer | null>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [key, entry] of archive.entries) {
    const content = replaced.get(key);
    if (content === null) continue;
    const packed = content ? pack(content) : kept(archive, entry);
    const name = Buffer.from(entry.name);
    const fields = headerFields(packed, name);
    const local = Buffer.concat([LOCAL_SIGNATURE, fields, name]);
    directory.push(Buffer.concat([CENTRAL_SIGNATURE, fields, Buffer.alloc(10), uint32(at), name]));
    pieces.push(local, packed.data);
    at += local.length + packed.data.length;
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([...pieces, ...directory, endRecord({ count: directory.length, size, start: at })]);
}

type Packed = { data: Buffer; method: number; crc: number; size: number };

const LOCAL_SIGNATURE = Buffer.from("PK\x03\x04", "latin1");
/** Signature and the version of the program that wrote it. */
const CENTRAL_SIGNATURE = Buffer.from("PK\x01\x02\x14\0", "latin1");
/** The first day ZIP knows, so that the same workbook gives the same bytes. */
const FIRST_DAY = 0x21;

const pack = (content: Buffer): Packed => ({
  data: deflateRawSync(content),
  method: 8,
  crc: crc32(content),
  size: content.length,
});

const kept = ({ bytes }: Archive, entry: Entry): Packed => ({
  data: bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize),
  method: entry.method,
  crc: entry.crc32,
  size: entry.size,
});

/** What local and central header have in common, from "version needed" to the length of the extra field (none). */
function headerFields({ data, method, crc, size }: Packed, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x800, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function endRecord({ count, size, start }: { count: number; size: number; start: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
