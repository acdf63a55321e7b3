import { damaged, notXlsx } from "./refusals.ts";
import { FileRefused } from "../facts.ts";

/**
 * One file of the archive as declared in its directory; sizes in bytes, offsets from the start of the file.
 */
export type Entry = {
  name: string;
  method: number;
  encrypted: boolean;
  crc32: number;
  packedSize: number;
  size: number;
  headerStart: number;
  dataStart: number;
};

const END_OF_DIRECTORY = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const CENTRAL_HEADER = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const FOUR_BYTES_FULL = 0xffffffff;

/**
 * Reads the central directory, including ZIP64, and checks each local header against it.
 * @throws FileRefused if a structure is missing, out of bounds or contradictory, or there are too many
 * entries
 * @see PKWARE APPNOTE 6.3, sections 4.3 and 4.5.3
 */
export function readDirectory(file: Buffer, maxEntries: number): Entry[] {
  const { count, start, end } = findDirectory(file);
  if (count > maxEntries) {
    throw new FileRefused("too_many_parts");
  }
  const entries: Entry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || file.readUInt32LE(at) !== CENTRAL_HEADER) throw damaged("its directory is broken");
    const next =
      at + 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    if (next > end) throw damaged("its directory is broken");
    entries.push(readEntry(file, at, start));
    at = next;
  }
  return entries;
}

function findDirectory(file: Buffer): { count: number; start: number; end: number } {
  const at = findEnd(file);
  const disks = file.readUInt16LE(at + 4) + file.readUInt16LE(at + 6);
  const place = {
    count: file.readUInt16LE(at + 10),
    size: file.readUInt32LE(at + 12),
    start: file.readUInt32LE(at + 16),
  };
  const needs64 = place.count === 0xffff || place.size === FOUR_BYTES_FULL || place.start === FOUR_BYTES_FULL;
  if (needs64) Object.assign(place, findZip64(file, at));
  else if (disks !== 0) throw damaged("it is one piece of a split archive");
  const end = place.start + place.size;
  if (end > at) throw damaged("its directory is broken");
  if (place.count === 0) throw notXlsx("an empty archive");
  return { count: place.count, start: place.start, end };
}

/** The end record comes last, followed only by a comment of at most 65,535 bytes. */
function findEnd(file: Buffer): number {
  for (let at = file.length - 22; at >= Math.max(0, file.length - 22 - 0xffff); at--) {
    if (file.readUInt32LE(at) === END_OF_DIRECTORY && at + 22 + file.readUInt16LE(at + 20) <= file.length)
      return at;
  }
  throw damaged("its end is missing");
}

function findZip64(file: Buffer, end: number): { count: number; size: number; start: number } {
  const locator = end - 20;
  if (locator < 0 || file.readUInt32LE(locator) !== ZIP64_LOCATOR) throw damaged("its directory is broken");
  const at = safeNumber(file.readBigUInt64LE(locator + 8));
  if (at + 56 > file.length || file.readUInt32LE(at) !== ZIP64_END) throw damaged("its directory is broken");
  return {
    count: safeNumber(file.readBigUInt64LE(at + 32)),
    size: safeNumber(file.readBigUInt64LE(at + 40)),
    start: safeNumber(file.readBigUInt64LE(at + 48)),
  };
}

function readEntry(file: Buffer, at: number, directoryStart: number): Entry {
  const nameLength = file.readUInt16LE(at + 28);
  const flags = file.readUInt16LE(at + 8);
  const sizes = {
    size: file.readUInt32LE(at + 24),
    packedSize: file.readUInt32LE(at + 20),
    headerStart: file.readUInt32LE(at + 42),
  };
  widen(sizes, file.subarray(at + 46 + nameLength, at + 46 + nameLength + file.readUInt16LE(at + 30)));
  const entry = {
    ...sizes,
    name: file.toString("utf8", at + 46, at + 46 + nameLength),
    method: file.readUInt16LE(at + 10),
    encrypted: (flags & 1) !== 0,
    crc32: file.readUInt32LE(at + 16),
  };
  const dataStart = checkLocalHeader(file, entry, directoryStart);
  return { ...entry, dataStart };
}

/** Replaces sizes that did not fit into four bytes by those of the ZIP64 extra field. */
function widen(sizes: { size: number; packedSize: number; headerStart: number }, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2));
    let value = at + 4;
    for (const key of ["size", "packedSize", "headerStart"] as const) {
      if (sizes[key] !== FOUR_BYTES_FULL) continue;
      if (value + 8 > end) throw damaged("the size of a part is missing");
      sizes[key] = safeNumber(extra.readBigUInt64LE(value));
      value += 8;
    }
  }
}

/** @returns the offset of the data; a local header that contradicts the directory is forged */
function checkLocalHeader(file: Buffer, entry: Omit<Entry, "dataStart">, limit: number): number {
  const at = entry.headerStart;
  if (at + 30 > limit || file.readUInt32LE(at) !== LOCAL_HEADER) throw damaged("a part is out of place");
  const nameLength = file.readUInt16LE(at + 26);
  const dataStart = at + 30 + nameLength + file.readUInt16LE(at + 28);
  if (dataStart + entry.packedSize > limit) throw damaged("a part is cut off");
  const sameName = file.toString("utf8", at + 30, at + 30 + nameLength) === entry.name;
  if (!sameName || file.readUInt16LE(at + 8) !== entry.method)
    throw damaged("a part contradicts the directory");
  const sizesFollowData = (file.readUInt16LE(at + 6) & 8) !== 0;
  if (sizesFollowData) return dataStart;
  const packedSize = file.readUInt32LE(at + 18);
  const size = file.readUInt32LE(at + 22);
  const agrees =
    (packedSize === entry.packedSize || packedSize === FOUR_BYTES_FULL) &&
    (size === entry.size || size === FOUR_BYTES_FULL);
  if (!agrees) throw damaged("a part contradicts the directory");
  return dataStart;
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged("a size is out of range");
  return Number(value);
}
