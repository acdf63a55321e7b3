import type { Picture } from "../label/drawing.ts";
import { checkSize, UnreadableLabel } from "./picture.ts";

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;

/**
 * Reads the first image of a GIF; what is transparent becomes white.
 * @throws UnreadableLabel
 * @see GIF89a specification, CompuServe, 1990
 */
export function readGif(bytes: Uint8Array): Picture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    return readFile(bytes, view);
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableLabel("a GIF that is cut");
    throw error;
  }
}

function readFile(bytes: Uint8Array, view: DataView): Picture {
  if (view.getUint32(0) !== 0x47494638) throw new UnreadableLabel("no GIF");
  let [at, palette] = readPalette(bytes, 13, view.getUint8(10));
  let transparent = -1;
  for (;;) {
    const kind = view.getUint8(at);
    if (kind === IMAGE) break;
    if (kind !== EXTENSION) throw new UnreadableLabel("a GIF without an image");
    if (view.getUint8(at + 1) === GRAPHIC_CONTROL && (view.getUint8(at + 3) & 1) === 1)
      transparent = view.getUint8(at + 6);
    at = skipBlocks(view, at + 2);
  }
  const [width, height, flags] = [
    view.getUint16(at + 5, true),
    view.getUint16(at + 7, true),
    view.getUint8(at + 9),
  ];
  checkSize(width, height);
  const [next, own] = readPalette(bytes, at + 10, flags);
  if (own.length > 0) palette = own;
  if (transparent >= 0) palette.fill(255, 3 * transparent, 3 * transparent + 3);
  const pixels = unpack(joinBlocks(bytes, view, next + 1), view.getUint8(next), width * height);
  const isInterlaced = (flags & 0x40) !== 0;
  return { width, height, pixels: isInterlaced ? sortRows(pixels, width, height) : pixels, palette };
}

/** @returns the place after it, and a copy; empty if the flags say that there is none */
function readPalette(bytes: Uint8Array, at: number, flags: number): [number, Uint8Array] {
  const end = (flags & 0x80) === 0 ? at : at + 3 * 2 ** ((flags & 7) + 1);
  if (end > bytes.length) throw new RangeError("cut");
  return [end, bytes.slice(at, end)];
}

function skipBlocks(view: DataView, at: number): number {
  for (;;) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

function joinBlocks(bytes: Uint8Array, view: DataView, at: number): Uint8Array {
  const end = skipBlocks(view, at);
  const joined = new Uint8Array(end - at);
  let length = 0;
  for (let block = at; block < end; block += 1 + view.getUint8(block)) {
    joined.set(bytes.subarray(block + 1, block + 1 + view.getUint8(block)), length);
    length += view.getUint8(block);
  }
  return joined.subarray(0, length);
}

const MAX_CODES = 4096;
const MAX_BITS = 12;

/** Pieces of the output by code, and how many bits a code has by now. */
type Table = { starts: Int32Array; lengths: Int32Array; next: number; bits: number };

/**
 * Unpacks LZW. A code stands for a piece of the output before it, with the pixel that followed: no piece is built twice.
 * @param least bits of a pixel
 */
function unpack(data: Uint8Array, least: number, count: number): Uint8Array {
  if (least < 1 || least > 8) throw new UnreadableLabel("a GIF with wrong codes");
  const out = new Uint8Array(count);
  const clear = 2 ** least;
  const [starts, lengths] = [new Int32Array(MAX_CODES), new Int32Array(MAX_CODES)];
  const table: Table = { starts, lengths, next: clear + 2, bits: least + 1 };
  let [held, bits, at, lastAt, lastLength] = [0, 0, 0, 0, 0];
  for (let place = 0; at < count && (place < data.length || bits >= table.bits);) {
    for (; bits < table.bits; bits += 8) held |= (data[place++] ?? 0) << bits;
    const code = held & ((1 << table.bits) - 1);
    held >>>= table.bits;
    bits -= table.bits;
    if (code === clear) {
      table.next = clear + 2;
      table.bits = least + 1;
      lastLength = 0;
      continue;
    }
    if (code === clear + 1) break;
    if (lastLength > 0) addPiece(table, lastAt, lastLength + 1);
    lastAt = at;
    lastLength = code < clear ? 1 : copyPiece(table, code, out, at);
    if (code < clear) out[at] = code;
    at += lastLength;
  }
  if (at < count) throw new UnreadableLabel("a GIF that is cut");
  return out;
}

/** Without room for another, codes stay as they are until the table is cleared. */
function addPiece(table: Table, start: number, length: number): void {
  if (table.next === MAX_CODES) return;
  table.starts[table.next] = start;
  table.lengths[table.next] = length;
  table.next += 1;
  if (table.next === 1 << table.bits && table.bits < MAX_BITS) table.bits += 1;
}

/** Longer pieces are copied at once. */
const SHORT = 16;

/** @returns how many pixels were copied; the last one of a piece may be the first of its copy */
function copyPiece(table: Table, code: number, out: Uint8Array, at: number): number {
  if (code >= table.next) throw new UnreadableLabel("a GIF with wrong codes");
  const [start, length] = [table.starts[code] ?? 0, table.lengths[code] ?? 0];
  if (at + length > out.length) throw new UnreadableLabel("a GIF of another size");
  if (length < SHORT) {
    for (let step = 0; step < length; step += 1) out[at + step] = out[start + step] ?? 0;
    return length;
  }
  out.copyWithin(at, start, start + length);
  if (start + length > at) out[at + length - 1] = out[start] ?? 0;
  return length;
}

/** Sorts interlaced rows: of each eight the first, then the fifth, then those between, and then the others. */
function sortRows(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const sorted = new Uint8Array(pixels.length);
  let from = 0;
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = first; row < height; row += step) {
      sorted.set(pixels.subarray(from, from + width), row * width);
      from += width;
    }
  return sorted;
}
