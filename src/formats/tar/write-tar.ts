/** Archives consist of blocks of this many bytes. */
const BLOCK = 512;

/** Where the fields of a header begin. @see IEEE Std 1003.1, pax, "ustar Interchange Format" */
const OFFSETS = {
  name: 0,
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  checksum: 148,
  type: 156,
  magic: 257,
  prefix: 345,
} as const;

/** Size with the padding to full blocks. */
const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** A file of an archive. @see pax "ustar Interchange Format" (IEEE Std 1003.1) for the bounds of path and size */
export type TarFile = { path: string; bytes: number; modifiedAt: Date; content: AsyncIterable<Buffer> };

/** Largest size that the format's eleven octal digits hold: 8 GiB less one byte. */
const MAX_BYTES = 8 ** 11 - 1;

/**
 * Writes one file of a tar archive: its header, its content, and the padding to full blocks.
 * @throws RangeError if the path or the size doesn't fit the format, or the content has another size
 */
export async function* writeTarFile({ path, bytes, modifiedAt, content }: TarFile): AsyncGenerator<Buffer> {
  yield writeHeader({ path, bytes, modifiedAt });
  let written = 0;
  for await (const chunk of content) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== bytes) throw new RangeError(`${path} has ${written} bytes, and not ${bytes}.`);
  yield Buffer.alloc(roundUp(bytes) - bytes);
}

/** End of every archive: two empty blocks. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);

function writeHeader({ path, bytes, modifiedAt }: Omit<TarFile, "content">): Buffer {
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
  if (!/^[\x21-\x7e]+$/.test(path) || name.length > 100 || folder.length > 155)
    throw new RangeError(`The path ${path} doesn't fit into a tar archive.`);
  if (bytes > MAX_BYTES) throw new RangeError(`${path} is too large for a tar archive.`);
  const header = Buffer.alloc(BLOCK);
  const put = (text: string, offset: number) => header.write(text, offset, "latin1");
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  put(name, OFFSETS.name);
  put(octal(0o600, 7), OFFSETS.mode);
  put(octal(0, 7), OFFSETS.owner);
  put(octal(0, 7), OFFSETS.group);
  put(octal(bytes, 11), OFFSETS.size);
  put(octal(Math.floor(modifiedAt.getTime() / 1000), 11), OFFSETS.time);
  put(" ".repeat(8), OFFSETS.checksum);
  put("0", OFFSETS.type);
  put("ustar\x0000", OFFSETS.magic);
  put(folder, OFFSETS.prefix);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, OFFSETS.checksum);
  return header;
}
