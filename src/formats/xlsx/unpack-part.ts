import { crc32, inflateRawSync } from "node:zlib";
import type { Archive } from "./guard.ts";
import { damaged } from "./refusals.ts";

/**
 * Unpacks one part as UTF-8. The output stops at the declared size, which the guard has bounded, so that a forged
 * size costs no more than an honest one.
 * @param name the part's name, any case, without a leading slash
 * @returns undefined when the archive has no such part
 * @throws WorkbookRefused when the data are broken, longer or shorter than declared, or fail their checksum
 */
export function unpackPart(archive: Archive, name: string): Buffer | undefined {
  const entry = archive.entries.get(name.toLowerCase());
  if (!entry) return undefined;
  const packed = archive.bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize);
  const data = entry.method === 0 ? packed : inflate(packed, entry.size, name);
  if (data.length !== entry.size) throw damaged(`${name} is shorter than declared`);
  if (crc32(data) !== entry.crc32) throw damaged(`${name} fails its checksum`);
  return toUtf8(data);
}

function inflate(packed: Buffer, size: number, name: string): Buffer {
  try {
    // One chunk of the whole size: zlib then writes straight into the result instead of joining pieces.
    return inflateRawSync(packed, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  } catch {
    throw damaged(`${name} does not unpack`);
  }
}

/** Office reads UTF-16 XML too; a byte order mark tells it. */
function toUtf8(data: Buffer): Buffer {
  if (data[0] === 0xff && data[1] === 0xfe) return Buffer.from(new TextDecoder("utf-16le").decode(data));
  if (data[0] === 0xfe && data[1] === 0xff) return Buffer.from(new TextDecoder("utf-16be").decode(data));
  return data;
}
