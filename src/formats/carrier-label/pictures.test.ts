import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { GifReader, GifWriter } from "omggif";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { UnreadableLabel } from "#formats/carrier-label/picture.ts";
import { readPicture } from "#formats/carrier-label/read-picture.ts";
import type { Picture } from "#formats/label/drawing.ts";

const COLORS = [0xffffff, 0x000000, 0xff0000, 0x00ff00, 0x0000ff, 0x888888, 0x123456, 0xfedcba];

/** Pixels as RGB. */
const toColors = ({ pixels, palette }: Picture): Buffer =>
  Buffer.concat([...pixels].map((pixel) => palette.subarray(3 * pixel, 3 * pixel + 3)));

const withoutAlpha = (rgba: Uint8Array): Buffer => Buffer.from(rgba.filter((_, at) => at % 4 < 3));

/** Runs of equal pixels, as labels have, and noise between them. */
const images = fc
  .record({
    width: fc.integer({ min: 1, max: 90 }),
    colors: fc.constantFrom(2, 4, 8),
    runs: fc.array(
      fc.record({ length: fc.integer({ min: 1, max: 400 }), seed: fc.nat(1000), isNoise: fc.boolean() }),
      { minLength: 1, maxLength: 30 },
    ),
  })
  .map(({ width, colors, runs }) => {
    const all = runs.flatMap(({ length, seed, isNoise }) =>
      Array.from({ length }, (_, at) => (isNoise ? (seed * 31 + at * at * 7 + at) % colors : seed % colors)),
    );
    const height = Math.max(1, Math.floor(all.length / width));
    return { width, height, colors, pixels: Array.from({ length: width * height }, (_, at) => all[at] ?? 0) };
  });

type Image = typeof images extends fc.Arbitrary<infer T> ? T : never;

function toGif({ width, height, colors, pixels }: Image, transparent?: number): Buffer {
  const bytes = Buffer.alloc(2 * pixels.length + 5000);
  const writer = new GifWriter(bytes, width, height, { palette: COLORS.slice(0, colors) });
  writer.addFrame(0, 0, width, height, pixels, transparent === undefined ? {} : { transparent });
  return bytes.subarray(0, writer.end());
}

test("a GIF has the pixels that another reader finds in it", () => {
  fc.assert(
    fc.property(images, (image) => {
      const bytes = toGif(image);
      const rgba = new Uint8Array(4 * image.pixels.length);
      new GifReader(bytes).decodeAndBlitFrameRGBA(0, rgba);
      const read = readPicture(bytes);
      expect([read.width, read.height]).toEqual([image.width, image.height]);
      expect(toColors(read).equals(withoutAlpha(rgba))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("a large GIF of noise, which fills its code table again and again, is read completely", () => {
  const pixels = Array.from({ length: 300 * 300 }, (_, at) => Math.floor(Math.abs(Math.sin(at) * 1e4)) % 8);
  const image = { width: 300, height: 300, colors: 8 as const, pixels };
  expect([...readPicture(toGif(image)).pixels]).toEqual(pixels);
});

test("rows of an interlaced GIF are put in order, and transparent pixels are white", () => {
  const [width, height] = [3, 13];
  const order = [0, 8, 4, 12, 2, 6, 10, 1, 3, 5, 7, 9, 11];
  const pixels = order.flatMap((row) => Array<number>(width).fill(row % 8));
  const bytes = toGif({ width, height, colors: 8, pixels });
  const flags = bytes.indexOf(0x2c, 13 + 3 * 8) + 9;
  bytes[flags] = (bytes[flags] ?? 0) | 0x40;
  const rows = Array.from({ length: height }, (_, row) => Array<number>(width).fill(row % 8));
  expect([...readPicture(bytes).pixels]).toEqual(rows.flat());
  const black = toGif({ width: 2, height: 1, colors: 2, pixels: [0, 1] }, 1);
  expect([...toColors(readPicture(black))]).toEqual([255, 255, 255, 255, 255, 255]);
});

test.each([
  { colorType: 0, bitDepth: 8 },
  { colorType: 2, bitDepth: 8 },
  { colorType: 4, bitDepth: 8 },
  { colorType: 6, bitDepth: 8 },
  { colorType: 0, bitDepth: 16 },
] as const)(
  "a PNG with every filter and of type %o is read in grays, on white",
  ({ colorType, bitDepth }) => {
    const [width, height] = [37, 23];
    for (const filterType of [0, 1, 2, 3, 4, -1]) {
      const png = new PNG({ width, height });
      for (let at = 0; at < width * height; at += 1) {
        const gray = (at * at * 3 + at) % 256;
        png.data.set([gray, gray, gray, colorType === 4 || colorType === 6 ? (at * 5) % 256 : 255], 4 * at);
      }
      const bytes = PNG.sync.write(png, { colorType, bitDepth, inputHasAlpha: true, filterType });
      const other = PNG.sync.read(bytes).data;
      const expected = Array.from({ length: width * height }, (_, at) => {
        const [gray = 0, , , alpha = 255] = other.subarray(4 * at, 4 * at + 4);
        return Math.round(255 + (gray - 255) * (alpha / 255));
      });
      const read = readPicture(bytes);
      expect([...toColors(read)].filter((_, at) => at % 3 === 0)).toEqual(expected);
    }
  },
);

test.each([1, 2, 4, 8])(
  "a PNG with a palette and %d bits per pixel is read, its transparent color as white",
  (depth) => {
    const [width, height] = [13, 5];
    const rowBytes = Math.ceil((width * depth) / 8);
    const rows = Array.from({ length: height }, (_, row) => [
      0,
      ...Array.from({ length: rowBytes }, (_each, at) => (row * 37 + at * 91) % 256),
    ]);
    const palette = Array.from({ length: 3 * 2 ** depth }, (_, at) => (at * 7) % 256);
    const bytes = buildPng(
      { width, height, depth, type: 3 },
      { PLTE: palette, tRNS: [0], IDAT: rows.flat() },
    );
    const other = PNG.sync.read(bytes).data;
    const expected = Array.from({ length: width * height }, (_, at) => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = other.subarray(4 * at, 4 * at + 4);
      return alpha === 0 ? [255, 255, 255] : [red, green, blue];
    });
    expect([...toColors(readPicture(bytes))]).toEqual(expected.flat());
  },
);

test("pictures of a size that no label has, and of kinds that UPS doesn't send, are refused", () => {
  const header = { width: 100_000, height: 100_000, depth: 8, type: 0 };
  expect(() => readPicture(buildPng(header, { IDAT: [0] }))).toThrow(UnreadableLabel);
  expect(() =>
    readPicture(buildPng({ ...header, width: 2, height: 2, interlace: 1 }, { IDAT: [0] })),
  ).toThrow(UnreadableLabel);
  // Has more data than its size says.
  expect(() =>
    readPicture(buildPng({ ...header, width: 2, height: 2 }, { IDAT: Array<number>(1e6).fill(0) })),
  ).toThrow(UnreadableLabel);
  expect(() => readPicture(Buffer.from("BM and more bytes than a header"))).toThrow(UnreadableLabel);
});

type Header = { width: number; height: number; depth: number; type: number; interlace?: number };

function buildPng(
  { width, height, depth, type, interlace = 0 }: Header,
  chunks: Record<string, number[]>,
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, type, 0, 0, interlace], 8);
  const parts = Object.entries({ IHDR: [...head], ...chunks, IEND: [] }).map(([kind, data]) => {
    const bytes = kind === "IDAT" ? deflateSync(Buffer.from(data)) : Buffer.from(data);
    const body = Buffer.concat([Buffer.from(kind), bytes]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(bytes.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  });
  return Buffer.concat([Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"), ...parts]);
}
