import type { Picture } from "../label/drawing.ts";
import { findInk } from "./picture.ts";
import { readPicture } from "./read-picture.ts";
import { readLine } from "./read-line.ts";

const TRACKING_NUMBER = /^1Z[0-9A-Z]{16}$/;

/** Pixels between two lines: bars are an inch high, which is 25 lines. */
const LINE_STEP = 8;
/** Lines that must agree. */
const LEAST_LINES = 2;

/**
 * Reads the tracking number from the bar code of a UPS label, so that a label is only offered with the number that UPS
 * names for it.
 * @param bytes GIF, PNG or ZPL, as UPS sends them
 * @returns null if there is none, or two that differ
 * @throws UnreadableLabel for a picture that is cut or damaged
 */
export function readTrackingNumber(bytes: Uint8Array): string | null {
  const isText = /^\s*[\^~]/.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"));
  return isText ? readZpl(Buffer.from(bytes).toString("latin1")) : readFromPicture(readPicture(bytes));
}

/** Bars stand along the short side of UPS's pictures, whether they lie on their side or not. */
function readFromPicture(picture: Picture): string | null {
  const isOnSide = picture.width > picture.height;
  return scan(picture, isOnSide) ?? scan(picture, !isOnSide);
}

function scan(picture: Picture, isDown: boolean): string | null {
  const { width, height, pixels } = picture;
  const ink = findInk(picture);
  const [lines, length] = isDown ? [width, height] : [height, width];
  const [across, along] = isDown ? [1, width] : [width, 1];
  const seen = new Map<string, number>();
  for (let line = LINE_STEP >> 1; line < lines; line += LINE_STEP)
    for (const data of readLine(measureRuns(pixels, ink, { from: line * across, step: along, length })))
      if (TRACKING_NUMBER.test(data)) seen.set(data, (seen.get(data) ?? 0) + 1);
  const [found, ...others] = [...seen].filter(([, count]) => count >= LEAST_LINES);
  return found && others.length === 0 ? found[0] : null;
}

type Line = { from: number; step: number; length: number };

/** Lengths of light and dark in turn, with light at both ends. */
function measureRuns(pixels: Uint8Array, ink: Uint8Array, { from, step, length }: Line): number[] {
  const runs: number[] = [];
  let [isInk, begun] = [0, 0];
  for (let place = 0; place < length; place += 1) {
    const next = ink[pixels[from + place * step] ?? 0] ?? 0;
    if (next === isInk) continue;
    runs.push(place - begun);
    [isInk, begun] = [next, place];
  }
  runs.push(length - begun);
  if (isInk === 1) runs.push(0);
  return runs;
}

/** Data of each Code 128 of a Zebra label. Its signs that choose a code set begin with `>`. */
function readZpl(text: string): string | null {
  const found = new Set<string>();
  for (const [, data = ""] of text.matchAll(/\^BC[^^]*(?:\^(?!FS|BC)[^^]*)*?\^FD([^^]*)\^FS/g)) {
    const number = data.replaceAll(/>[0-9:;<=]/g, "").trim();
    if (TRACKING_NUMBER.test(number)) found.add(number);
  }
  const [first, ...others] = found;
  return first !== undefined && others.length === 0 ? first : null;
}
