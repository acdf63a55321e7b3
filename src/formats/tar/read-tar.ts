import { buffer } from "node:stream/consumers";
import { BLOCK, OFFSETS, roundUp } from "#formats/tar/layout.ts";

/** A file of an archive. Its content must be read before the next file; what is left of it is skipped. */
export type ReadTarFile = { path: string; bytes: number; content: AsyncIterable<Buffer> };

/** The bytes are no tar archive of plain files, or end too early. */
export class TarFault extends Error {
  override name = "TarFault";
}

/**
 * Reads the files of a tar archive in order, holding no more than a chunk of the stream.
 * @throws TarFault
 */
export async function* readTar(stream: AsyncIterable<Buffer>): AsyncGenerator<ReadTarFile> {
  const take = createReader(stream);
  for (;;) {
    const header = await buffer(take(BLOCK));
    if (header.every((byte) => byte === 0)) return;
    const { path, bytes } = readHeader(header);
    let left = bytes;
    const content = async function* () {
      for await (const chunk of take(left)) {
        left -= chunk.length;
        yield chunk;
      }
    };
    yield { path, bytes, content: content() };
    for await (const chunk of take(left)) left -= chunk.length;
    await buffer(take(roundUp(bytes) - bytes));
  }
}

/** Reads exactly so many bytes from a stream, in chunks as they come. */
function createReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async function* (count: number): AsyncGenerator<Buffer> {
    for (let open = count; open > 0;) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done) throw new TarFault("The archive ends too early.");
        rest = next.value;
      }
      const part = rest.subarray(0, open);
      rest = rest.subarray(part.length);
      open -= part.length;
      if (part.length > 0) yield part;
    }
  };
}

function readHeader(header: Buffer): { path: string; bytes: number } {
  const text = (offset: number, length: number) =>
    header.toString("latin1", offset, offset + length).split("\0", 1)[0] ?? "";
  const number = (offset: number, length: number) => {
    const digits = text(offset, length).trim();
    if (!/^[0-7]+$/.test(digits)) throw new TarFault("The archive has a damaged header.");
    return Number.parseInt(digits, 8);
  };
  const sum = header.reduce(
    (total, byte, at) => total + (at >= OFFSETS.checksum && at < OFFSETS.type ? 0x20 : byte),
    0,
  );
  if (sum !== number(OFFSETS.checksum, 8) || text(OFFSETS.magic, 5) !== "ustar")
    throw new TarFault("The archive has a damaged header.");
  const [folder, name] = [text(OFFSETS.prefix, 155), text(OFFSETS.name, 100)];
  const path = folder ? `${folder}/${name}` : name;
  if (text(OFFSETS.type, 1) !== "0") throw new TarFault(`${path} is no plain file.`);
  return { path, bytes: number(OFFSETS.size, 12) };
}
