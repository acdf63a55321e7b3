import type { Picture } from "../label/drawing.ts";

/** A picture whose bytes are cut, damaged or of a kind that carriers don't send. */
export class UnreadableLabel extends Error {
  override name = "UnreadableLabel";
}

/** Labels have about a million pixels; a picture of more would only take memory. */
const MAX_PIXELS = 16_000_000;

/** @throws UnreadableLabel */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1 || width * height > MAX_PIXELS)
    throw new UnreadableLabel(`a picture of ${width} by ${height}`);
}

/** Darkness of each index: 1 for ink. Indices beyond the palette are paper. */
export function findInk({ palette }: Picture): Uint8Array {
  const ink = new Uint8Array(256);
  for (let index = 0; index < palette.length / 3; index += 1) {
    const [red = 0, green = 0, blue = 0] = palette.subarray(3 * index, 3 * index + 3);
    ink[index] = luminance(red, green, blue) < 128 ? 1 : 0;
  }
  return ink;
}

export const luminance = (red: number, green: number, blue: number): number =>
  (red * 299 + green * 587 + blue * 114) / 1000;
