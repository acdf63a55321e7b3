import bwipjs from "bwip-js";

/** A picture of two gray levels: one byte per pixel, 1 is ink. */
export type Bitmap = { width: number; height: number; ink: Uint8Array };

export const blankBitmap = (width: number, height: number): Bitmap => ({
  width,
  height,
  ink: new Uint8Array(width * height),
});

/** Fills a rectangle; parts outside the picture are left out. */
export function fillBox(
  { width, height, ink }: Bitmap,
  box: { x: number; y: number; width: number; height: number },
): void {
  const from = Math.max(0, box.x);
  const to = Math.min(width, box.x + box.width);
  for (let y = Math.max(0, box.y); y < Math.min(height, box.y + box.height); y += 1)
    ink.fill(1, y * width + from, y * width + Math.max(from, to));
}

/** Characters that the font has; accents are dropped, others become a question mark. */
const plain = (line: string): string =>
  line
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "?");

type Glyph = { left: number; top: number; width: number; height: number; advance: number; dots: Uint8Array };
const glyphs = new Map<string, Glyph>();

/** A character of the OCR-B font that comes with the barcode library. */
function findGlyph(character: string, size: number): Glyph {
  const key = `${size}${character}`;
  const known = glyphs.get(key);
  if (known) return known;
  const font = bwipjs.FontLib.lookup("OCR-B");
  const drawn = bwipjs.FontLib.getglyph(font, character.charCodeAt(0), size, size);
  const dots = new Uint8Array(drawn.width * drawn.height);
  for (let at = 0; at < dots.length; at += 1) dots[at] = (drawn.bytes[drawn.offset + at] ?? 0) > 110 ? 1 : 0;
  const glyph = {
    left: drawn.left,
    top: drawn.top,
    width: drawn.width,
    height: drawn.height,
    advance: Math.round(drawn.advance),
    dots,
  };
  glyphs.set(key, glyph);
  return glyph;
}

/** Width of a text in pixels. */
export const measureText = (line: string, size: number): number =>
  [...plain(line)].reduce((width, character) => width + findGlyph(character, size).advance, 0);

/** Writes one line. @param at left end of the base line, and the size of the font in pixels */
export function writeText(
  bitmap: Bitmap,
  line: string,
  at: { x: number; y: number; size: number; bold?: boolean },
): void {
  let x = at.x;
  for (const character of plain(line)) {
    const glyph = findGlyph(character, at.size);
    for (let row = 0; row < glyph.height; row += 1)
      for (let column = 0; column < glyph.width; column += 1) {
        if (glyph.dots[row * glyph.width + column] !== 1) continue;
        const dot = { x: x + glyph.left + column, y: at.y - glyph.top + row };
        fillBox(bitmap, { ...dot, width: at.bold === true ? 3 : 1, height: at.bold === true ? 2 : 1 });
      }
    x += glyph.advance;
  }
}

/** Turns a picture a quarter to the left: its right edge becomes the top. */
export function turnLeft({ width, height, ink }: Bitmap): Bitmap {
  const turned = blankBitmap(height, width);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned.ink[(width - 1 - x) * height + y] = ink[y * width + x] ?? 0;
  return turned;
}

/** The upper part of a picture. */
export const cropTop = ({ width, ink }: Bitmap, height: number): Bitmap => ({
  width,
  height,
  ink: ink.subarray(0, width * height),
});
