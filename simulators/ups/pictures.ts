import { crc32, deflateSync } from "node:zlib";
import type { Bitmap } from "./bitmap.ts";

/** Encodes a picture as GIF with two gray levels. @see GIF89a, appendix F for the compression */
export function encodeGif({ width, height, ink }: Bitmap): Buffer {
  const head = Buffer.alloc(13 + 6 + 10 + 1);
  head.write("GIF89a", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  // A color table of two entries: white, black.
  head.set([0x80, 0, 0, 255, 255, 255, 0, 0, 0, 0x2c, 0, 0, 0, 0], 10);
  head.writeUInt16LE(width, 24);
  head.writeUInt16LE(height, 26);
  head[29] = SMALLEST_CODE;
  const data = compress(ink);
  const blocks: Buffer[] = [head];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0, 0x3b])]);
}

/** Bits per pixel; two is the minimum in GIF. */
const SMALLEST_CODE = 2;
const CLEAR = 1 << SMALLEST_CODE;
const END = CLEAR + 1;
const MAX_CODE = 4095;

function compress(ink: Uint8Array): Buffer {
  const bytes = Buffer.alloc(ink.length + 64);
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  let codeSize = SMALLEST_CODE + 1;
  const put = (code: number) => {
    bits |= code << bitCount;
    bitCount += codeSize;
    while (bitCount >= 8) {
      bytes[length++] = bits & 255;
      bits >>>= 8;
      bitCount -= 8;
    }
  };
  // The code of each known sequence followed by a pixel of 0 or 1; 0 for an unknown one.
  const next = new Uint16Array((MAX_CODE + 1) * 2);
  let free = END + 1;
  put(CLEAR);
  let current = ink[0] ?? 0;
  for (let at = 1; at < ink.length; at += 1) {
    const pixel = ink[at] ?? 0;
    const longer = next[current * 2 + pixel] ?? 0;
    if (longer !== 0) {
      current = longer;
      continue;
    }
    put(current);
    if (free > MAX_CODE) {
      put(CLEAR);
      next.fill(0);
      free = END + 1;
      codeSize = SMALLEST_CODE + 1;
    } else {
      next[current * 2 + pixel] = free;
      if (free === 1 << codeSize) codeSize += 1;
      free += 1;
    }
    current = pixel;
  }
  put(current);
  put(END);
  if (bitCount > 0) bytes[length++] = bits & 255;
  return bytes.subarray(0, length);
}

/** Encodes a picture as PNG with one bit per pixel. */
export function encodePng({ width, height, ink }: Bitmap): Buffer {
  const bits = packBits({ width, height, ink });
  const stride = Math.ceil(width / 8);
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) bits.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", size),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One bit per pixel, 0 is ink; each row starts a new byte. */
export function packBits({ width, height, ink }: Bitmap): Buffer {
  const stride = Math.ceil(width / 8);
  const bits = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + (x >> 3);
      if (ink[y * width + x] !== 1) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
    }
  return bits;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), framed.length - 4);
  return framed;
}
