import { crc32, inflateRawSync } from "node:zlib";
import { admitPart, type Archive } from "./guard.ts";
import { damaged } from "./refusals.ts";

/**
 * Unpacks one part and converts it to UTF-8. The output stops at the declared size, which is limited, so a
 * forged size costs no more than a true one.
 * @param name the part's name in any case, without a leading slash
 * @returns undefined if the archive has no such part
 * @throws FileRefused if the data are corrupt, longer or shorter than declared, or fail their checksum
 */
export function unpackPart(archive: Archive, name: string): Buffer | undefined {
  const entry = archive.entries.get(name.toLowerCase());
  if (!entry) return undefined;
  admitPart(archive, entry);
  const packed = archive.bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize);
  const data = entry.method === 0 ? packed : inflate(packed, entry.size, name);
  if (data.length !== entry.size) throw damaged(`${name} is shorter than declared`);
  if (crc32(data) !== entry.crc32) throw damaged(`${name} fails its checksum`);
  return toUtf8(data, name);
}

function inflate(packed: Buffer, size: number, name: string): Buffer {
  try {
    // One chunk of the whole size: zlib then writes directly into the result instead of joining chunks.
    return inflateRawSync(packed, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  } catch {
    throw damaged(`${name} does not unpack`);
  }
}

function toUtf8(data: Buffer, name: string): Buffer {
  const encoding = detectEncoding(data);
  if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return data;
  try {
    return Buffer.from(new TextDecoder(encoding).decode(data));
  } catch {
    throw damaged(`${name} is in an unknown encoding, ${encoding}`);
  }
}

/**
 * Detects the encoding: a byte order mark or the first character identifies UTF-16; any other encoding is
 * declared.
 */
function detectEncoding(data: Buffer): string {
  const [first, second] = data;
  if ((first === 0xff && second === 0xfe) || (first === LESS && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === LESS)) return "utf-16be";
  const declared = DECLARATION.exec(data.toString("latin1", 0, 200))?.[1] ?? "utf-8";
  // If the declaration is readable as ASCII, the part is not in the UTF-16 it declares.
  return /^utf-?16/i.test(declared) ? "utf-8" : declared;
}

const LESS = 0x3c;
const DECLARATION = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/;
