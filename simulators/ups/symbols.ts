import bwipjs from "bwip-js";
import { fillBox, type Bitmap } from "./bitmap.ts";

type Raw = { sbs?: number[]; pixs?: number[] }[];
const draw = (options: { bcid: string; text: string; parsefnc?: boolean; mode?: number }): Raw =>
  bwipjs.raw(options) as unknown as Raw;

/** Widths of bars and gaps of a Code 128, in modules, a bar first. @param text `^FNC1` is that character */
export const code128 = (text: string): readonly number[] =>
  draw({ bcid: "code128", text, parsefnc: true })[0]?.sbs ?? [];

/** Draws bars of exact whole pixels. @returns their width in pixels */
export function drawBars(
  bitmap: Bitmap,
  widths: readonly number[],
  at: { x: number; y: number; height: number; module: number },
): number {
  let x = at.x;
  widths.forEach((modules, index) => {
    const width = modules * at.module;
    if (index % 2 === 0) fillBox(bitmap, { x, y: at.y, width, height: at.height });
    x += width;
  });
  return x - at.x;
}

export type Destination = { zip: string; service: string; message: string };

/** Text of a MaxiCode in mode 2, for a US ZIP code. @see ANSI MH10.8.3 for the separators */
export const maxicodeText = ({ zip, service, message }: Destination): string =>
  `[)>\x1e01\x1d96${zip.padEnd(9, "0")}\x1d840\x1d${service.padStart(3, "0")}\x1d${message}\x1e\x04`;

/** Columns, and dots from one hexagon to the next at 200 dpi (0.88 mm and 0.76 mm). */
const COLUMNS = 30;
const PITCH_X = 7;
const PITCH_Y = 6;
const ROWS = 33;

/** A hexagon with a corner at the bottom, as runs of pixels: left, width. */
const HEXAGON: readonly (readonly [number, number])[] = [
  [3, 1],
  [1, 5],
  [1, 5],
  [1, 5],
  [1, 5],
  [1, 5],
  [3, 1],
];

/** Draws a MaxiCode of 214 by 199 pixels. */
export function drawMaxicode(bitmap: Bitmap, text: string, at: { x: number; y: number }): void {
  const [symbol] = draw({ bcid: "maxicode", text, mode: 2 });
  for (const index of symbol?.pixs ?? []) {
    const row = Math.floor(index / COLUMNS);
    const x = at.x + (index % COLUMNS) * PITCH_X + (row % 2 === 1 ? Math.floor(PITCH_X / 2) : 0);
    HEXAGON.forEach(([left, width], line) =>
      fillBox(bitmap, { x: x + left, y: at.y + row * PITCH_Y + line, width, height: 1 }),
    );
  }
  drawBullseye(bitmap, {
    x: at.x + Math.round((COLUMNS * PITCH_X) / 2) - 1,
    y: at.y + Math.floor(ROWS / 2) * PITCH_Y + 3,
  });
}

/** Radii of the three rings in the middle, in pixels at 200 dpi, outer and inner. */
const RINGS = [
  [30.5, 25.2],
  [19.8, 14.5],
  [9.2, 3.9],
] as const;

function drawBullseye(bitmap: Bitmap, center: { x: number; y: number }): void {
  for (let y = -31; y <= 31; y += 1)
    for (let x = -31; x <= 31; x += 1) {
      const radius = Math.hypot(x, y);
      if (RINGS.some(([outer, inner]) => radius <= outer && radius > inner))
        fillBox(bitmap, { x: center.x + x, y: center.y + y, width: 1, height: 1 });
    }
}
