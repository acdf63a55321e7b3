import type { Picture } from "../label/drawing.ts";
import { findInk } from "./picture.ts";
import { readPicture } from "./read-picture.ts";
import { CODE128_PATTERNS } from "../gs1/bar-code.ts";
import { START_A, STOP } from "../gs1/code128.ts";
import { decodeCode128 } from "../gs1/decode.ts";

const TRACKING_NUMBER = /^1Z[0-9A-Z]{16}$/;

/** Pixels between two lines: bars are an inch high, which is 25 lines. */
const LINE_STEP = 8;
/** Lines that must agree. */
const MIN_LINES = 2;

/**
 * Reads the tracking number from the barcode of a UPS label, so that a label is only offered with the number that UPS
 * names for it.
 * @param bytes GIF, PNG or ZPL, as UPS sends them
 * @returns null if there is none, or two that differ
 * @throws UnreadableLabel for a picture that is cut or damaged
 */
export function readTrackingNumber(bytes: Uint8Array): string | null {
  const isText = /^\s*[\^~]/.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"));
  return isText ? readZpl(Buffer.from(bytes).toString("latin1")) : readFromPicture(readPicture(bytes));
}

/** Bars run along the short side of UPS's pictures, whether they lie on their side or not. */
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
  const [found, ...others] = [...seen].filter(([, count]) => count >= MIN_LINES);
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

/** Bars and spaces of a character, and its width in modules; the stop has a bar more. */
const ELEMENTS = 6;
const MODULES = 11;

/** Half of what the standard asks for: labels are crowded, and the check character tells what is a symbol. */
const QUIET_MODULES = 5;
const UNKNOWN = -1;

/** Code words by their widths, each a digit below five. */
const WORDS = new Int16Array(5 ** ELEMENTS).fill(UNKNOWN);
for (const [word, pattern] of CODE128_PATTERNS.entries())
  WORDS[Number.parseInt(pattern.slice(0, ELEMENTS), 5)] = word;

/**
 * Reads the Code 128 symbols on a line, in both directions.
 * @param runs lengths of light and dark in turn, in any unit, with light at both ends
 */
function readLine(runs: readonly number[]): string[] {
  return [...readForward(runs), ...readForward(runs.toReversed())];
}

function readForward(runs: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 1; at + ELEMENTS < runs.length; at += 2) {
    const width = measure(runs, at);
    if ((runs[at - 1] ?? 0) * MODULES < QUIET_MODULES * width) continue;
    const start = readWord(runs, at, width);
    if (start < START_A || start === STOP) continue;
    const data = decodeCode128(readWords(runs, at))?.data;
    if (data !== undefined) found.push(data);
  }
  return found;
}

/** @returns code words up to the first that is the stop, or none that is known */
function readWords(runs: readonly number[], start: number): number[] {
  const words: number[] = [];
  for (let at = start; at + ELEMENTS < runs.length; at += ELEMENTS) {
    const word = readWord(runs, at, measure(runs, at));
    words.push(word);
    if (word === UNKNOWN || word === STOP) break;
  }
  return words;
}

function measure(runs: readonly number[], at: number): number {
  let width = 0;
  for (let step = 0; step < ELEMENTS; step += 1) width += runs[at + step] ?? 0;
  return width;
}

/** Widths are compared with the character's own, so that a picture may be of any scale. */
function readWord(runs: readonly number[], at: number, width: number): number {
  let key = 0;
  for (let step = 0; step < ELEMENTS; step += 1) {
    const modules = Math.round(((runs[at + step] ?? 0) * MODULES) / width);
    if (modules < 1 || modules > 4) return UNKNOWN;
    key = key * 5 + modules;
  }
  return WORDS[key] ?? UNKNOWN;
}
