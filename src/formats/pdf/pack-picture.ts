import type { Picture } from "../label/drawing.ts";

/** A picture as a stream of a PDF: its bytes, and the entries of its dictionary. */
export type PackedPicture = { image: Uint8Array; entries: string };

/** Packs a picture, or its left top corner. @param corner in pixels */
export function packPicture(
  picture: Picture,
  { columns, rows }: { columns: number; rows: number } = { columns: picture.width, rows: picture.height },
): PackedPicture {
  const { image, bits, colors } = pack(picture, columns, rows);
  const palette = `[/Indexed/DeviceRGB ${colors.length / 3 - 1}<${Buffer.from(colors).toString("hex")}>]`;
  const entries = `/Type/XObject/Subtype/Image/Width ${columns}/Height ${rows}/BitsPerComponent ${bits}/ColorSpace${palette}`;
  return { image, entries };
}

type Packed = { image: Uint8Array; bits: number; colors: Uint8Array };

/** Packs a corner of a picture into as few bits a pixel as its colors need; the rows of a PDF begin at bytes. */
function pack(picture: Picture, columns: number, rows: number): Packed {
  const { width, pixels } = picture;
  const { indices, colors } = listColors(picture);
  const bits = [1, 2, 4].find((each) => colors.length / 3 <= 2 ** each) ?? 8;
  const perByte = 8 / bits;
  const rowBytes = Math.ceil(columns / perByte);
  const image = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += perByte) {
      const from = row * width + column;
      const count = Math.min(perByte, columns - column);
      let byte = 0;
      for (let step = 0; step < count; step += 1)
        byte = (byte << bits) | (indices[pixels[from + step] ?? 0] ?? 0);
      image[row * rowBytes + column / perByte] = byte << (bits * (perByte - count));
    }
  return { image, bits, colors };
}

/** Black and white are packed as they are. */
const TWO = Uint8Array.of(0, 1);

/** Colors in use, and the new index of each old one. */
function listColors({ pixels, palette }: Picture): { indices: Uint8Array; colors: Uint8Array } {
  if (palette.length === 6) return { indices: TWO, colors: palette };
  const used = new Uint8Array(256);
  // By index: a million pixels take fifteen times as long by their iterator.
  for (let at = 0; at < pixels.length; at += 1) used[pixels[at] ?? 0] = 1;
  const indices = new Uint8Array(256);
  const colors: number[] = [];
  for (let index = 0; index < 256; index += 1) {
    if (used[index] === 0) continue;
    indices[index] = colors.length / 3;
    const [red = 255, green = 255, blue = 255] = palette.subarray(3 * index, 3 * index + 3);
    colors.push(red, green, blue);
  }
  return { indices, colors: Uint8Array.from(colors) };
}
