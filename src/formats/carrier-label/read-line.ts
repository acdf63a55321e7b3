import { CODE128_PATTERNS } from "../gs1/bar-code.ts";
import { START_A, STOP } from "../gs1/code128.ts";
import { decodeCode128 } from "../gs1/decode.ts";

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
export function readLine(runs: readonly number[]): string[] {
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
