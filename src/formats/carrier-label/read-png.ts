import { inflateSync } from "node:zlib";
import type { Picture } from "../label/drawing.ts";
import { checkSize, luminance, UnreadableLabel } from "./picture.ts";

type Header = { width: number; height: number; depth: number; channels: number; isIndexed: boolean };
type Chunks = { header: Header; palette: Uint8Array; alpha: Uint8Array; packed: Buffer };

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Reads a PNG that isn't interlaced. Colors beyond a palette become 256 grays, on white where they are transparent.
 * @throws UnreadableLabel
 * @see PNG specification, W3C
 */
export function readPng(bytes: Uint8Array): Picture {
  const { header, palette, alpha, packed } = readChunks(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
  );
  const { width, height, depth, channels, isIndexed } = header;
  const rowBytes = Math.ceil((width * depth * channels) / 8);
  const rows = unfilter(inflate(packed, (rowBytes + 1) * height), {
    rowBytes,
    height,
    step: Math.ceil((depth * channels) / 8),
  });
  if (isIndexed) {
    for (const [index, each] of alpha.entries()) if (each < 128) palette.fill(255, 3 * index, 3 * index + 3);
    return { width, height, pixels: spread(rows, header, rowBytes), palette };
  }
  if (channels === 1 && depth <= 8)
    return { width, height, pixels: spread(rows, header, rowBytes), palette: toGrays(2 ** depth) };
  return { width, height, pixels: mixGrays(rows, header), palette: toGrays(256) };
}

function readChunks(bytes: Buffer): Chunks {
  if (bytes.toString("latin1", 1, 8) !== "PNG\r\n\u001a\n")
    throw new UnreadableLabel("neither a GIF nor a PNG");
  const found = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= bytes.length;) {
    const [length, kind] = [bytes.readUInt32BE(at), bytes.toString("latin1", at + 4, at + 8)];
    found.set(kind, [...(found.get(kind) ?? []), bytes.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  const [head, packed] = [found.get("IHDR")?.[0], found.get("IDAT")];
  if (head?.length !== 13 || !packed) throw new UnreadableLabel("a PNG that is cut");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth = 0, type = 0, , , interlace = 0] = head.subarray(8);
  checkSize(width, height);
  const channels = CHANNELS[type];
  if (!channels || interlace !== 0 || ![1, 2, 4, 8, 16].includes(depth))
    throw new UnreadableLabel("a PNG of an unusual kind");
  const [palette = [], alpha = []] = [found.get("PLTE")?.[0], found.get("tRNS")?.[0]];
  return {
    header: { width, height, depth, channels, isIndexed: type === 3 },
    palette: Uint8Array.from(palette),
    alpha: Uint8Array.from(alpha),
    packed: Buffer.concat(packed),
  };
}

function inflate(packed: Buffer, length: number): Buffer {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: length });
    if (bytes.length === length) return bytes;
  } catch {
    // Said below.
  }
  throw new UnreadableLabel("a PNG whose pixels are cut or damaged");
}

/** Adds to each byte what its row's filter took away: the byte a pixel before, the one above, or a guess from these. */
function unfilter(
  bytes: Buffer,
  { rowBytes, height, step }: { rowBytes: number; height: number; step: number },
): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (rowBytes + 1);
    const filter = bytes[from] ?? 0;
    const to = row * rowBytes;
    rows.set(bytes.subarray(from + 1, from + 1 + rowBytes), to);
    if (filter === 0) continue;
    for (let at = to; at < to + rowBytes; at += 1) {
      const before = at - to < step ? 0 : (rows[at - step] ?? 0);
      const above = row === 0 ? 0 : (rows[at - rowBytes] ?? 0);
      const corner = row === 0 || at - to < step ? 0 : (rows[at - rowBytes - step] ?? 0);
      rows[at] = (rows[at] ?? 0) + predict(filter, { before, above, corner });
    }
  }
  return rows;
}

type Neighbors = { before: number; above: number; corner: number };

function predict(filter: number, { before, above, corner }: Neighbors): number {
  if (filter === 1) return before;
  if (filter === 2) return above;
  if (filter === 3) return (before + above) >> 1;
  if (filter !== 4) throw new UnreadableLabel("a PNG with an unknown filter");
  const [toBefore, toAbove, toCorner] = [above - corner, before - corner, before + above - 2 * corner].map(
    Math.abs,
  ) as [number, number, number];
  if (toBefore <= toAbove && toBefore <= toCorner) return before;
  return toAbove <= toCorner ? above : corner;
}

/** One byte for each pixel of one channel. */
function spread(rows: Uint8Array, { width, height, depth }: Header, rowBytes: number): Uint8Array {
  if (depth === 8) return rows;
  const pixels = new Uint8Array(width * height);
  const [mask, perByte] = [2 ** depth - 1, 8 / depth];
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const byte = rows[row * rowBytes + Math.floor(column / perByte)] ?? 0;
      pixels[row * width + column] = (byte >> (8 - depth * ((column % perByte) + 1))) & mask;
    }
  return pixels;
}

function mixGrays(rows: Uint8Array, { width, height, depth, channels }: Header): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const sample = depth / 8;
  const hasAlpha = channels === 2 || channels === 4;
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    const read = (channel: number) => {
      const at = (pixel * channels + channel) * sample;
      return sample === 1 ? (rows[at] ?? 0) : (256 * (rows[at] ?? 0) + (rows[at + 1] ?? 0)) / 257;
    };
    const gray = channels < 3 ? read(0) : luminance(read(0), read(1), read(2));
    const alpha = hasAlpha ? read(channels - 1) / 255 : 1;
    pixels[pixel] = Math.round(255 + (gray - 255) * alpha);
  }
  return pixels;
}

const toGrays = (count: number): Uint8Array =>
  Uint8Array.from({ length: 3 * count }, (_, at) => Math.round((255 * Math.floor(at / 3)) / (count - 1)));
