import { CODE128_PATTERNS, QUIET_MODULES } from "#formats/gs1/bar-code.ts";
import { STOP } from "#formats/gs1/code128.ts";
import { decodeCode128 } from "#formats/gs1/decode.ts";
import { POINTS_PER_INCH, type Resolution } from "#formats/label/drawing.ts";
import { readFills, type Fill } from "./read-fills.ts";

/** Barcodes of one page, and how exact their bars are. */
export type ReadPage = {
  /** Data of each barcode, in no order. */
  found: string[];
  /** Lines on which a barcode was read. */
  lines: number;
  /** Largest deviation of a width, in modules. */
  error: number;
};

/** Lines that are read: about one each millimeter. */
const LINES_PER_INCH = 25;

/**
 * Reads barcodes from a document: draws its bars as dots of the printer, a line each millimeter, and reads each line as a
 * scanner does. A dot is black when any ink touches it.
 * @param bytes a document of `writePdf`
 */
export function readPages(bytes: Buffer, page: { width: number; height: number }, resolution: Resolution) {
  return readFills(bytes).map((fills) => readPage(fills, page, resolution));
}

function readPage(
  fills: readonly Fill[],
  page: { width: number; height: number },
  { dotsPerInch }: Resolution,
): ReadPage {
  const dotsPerPoint = dotsPerInch / POINTS_PER_INCH;
  const step = Math.round(dotsPerInch / LINES_PER_INCH);
  const found = new Set<string>();
  let [lines, error] = [0, 0];
  for (let line = 0; line < page.height * dotsPerPoint; line += step) {
    // The middle of the row of dots, in points from the lower edge.
    const y = page.height - (line + 0.5) / dotsPerPoint;
    const inked = fills.filter((fill) => fill.y <= y && y <= fill.y + fill.height);
    const seen = readLine(toDots(inked, Math.ceil(page.width * dotsPerPoint), dotsPerPoint));
    for (const symbol of seen) {
      const decoded = decodeCode128(symbol.words);
      if (decoded?.kind !== "gs1-128") continue;
      found.add(decoded.data);
      lines += 1;
      error = Math.max(error, symbol.error);
    }
  }
  return { found: [...found], lines, error };
}

function toDots(inked: readonly Fill[], width: number, dotsPerPoint: number): Uint8Array {
  const dots = new Uint8Array(width);
  for (const { x, width: wide } of inked)
    dots.fill(1, Math.floor(x * dotsPerPoint), Math.ceil((x + wide) * dotsPerPoint));
  return dots;
}

/** A symbol on a line of dots; `error` is the largest deviation of a width, in modules. */
export type SeenSymbol = { words: number[]; error: number };

const MODULES = 11;
const STARTS: ReadonlySet<number> = new Set([103, 104, 105]);
const WORDS = new Map(CODE128_PATTERNS.map((pattern, word) => [pattern, word]));

/**
 * Finds Code 128 symbols on one line of dots by the light space in front and the widths of bars and spaces. @param dots 1 where the paper is black
 */
export function readLine(dots: Uint8Array): SeenSymbol[] {
  const runs = measureRuns(dots);
  const found: SeenSymbol[] = [];
  for (let at = 1; at < runs.length; at += 2) {
    const symbol = readSymbol(runs, at);
    if (!symbol) continue;
    found.push(symbol);
    at += symbol.words.length * 6;
  }
  return found;
}

/** Lengths of light and dark in turn, beginning with light. */
function measureRuns(dots: Uint8Array): number[] {
  const runs = [0];
  let isDark = false;
  for (const dot of dots) {
    if ((dot === 1) !== isDark) {
      runs.push(0);
      isDark = !isDark;
    }
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
  }
  if (isDark) runs.push(0);
  return runs;
}

/** @param at the run that would be its first bar */
function readSymbol(runs: readonly number[], at: number): SeenSymbol | null {
  const module = sum(runs.slice(at, at + 6)) / MODULES;
  if (module < 1 || (runs[at - 1] ?? 0) < QUIET_MODULES * module) return null;
  const symbol: SeenSymbol = { words: [], error: 0 };
  for (let next = at; ; next += 6) {
    const isLast = isStopAt(runs, next, module);
    const word = readWord(runs.slice(next, next + (isLast ? 7 : 6)), module, symbol);
    if (word === undefined || !STARTS.has(symbol.words[0] ?? word)) return null;
    symbol.words.push(word);
    if (isLast) return (runs[next + 7] ?? 0) >= QUIET_MODULES * module ? symbol : null;
  }
}

function readWord(runs: readonly number[], module: number, symbol: SeenSymbol): number | undefined {
  const widths = runs.map((run) => run / module);
  for (const width of widths) symbol.error = Math.max(symbol.error, Math.abs(width - Math.round(width)));
  return WORDS.get(widths.map(Math.round).join(""));
}

const isStopAt = (runs: readonly number[], at: number, module: number): boolean =>
  runs
    .slice(at, at + 7)
    .map((run) => Math.round(run / module))
    .join("") === CODE128_PATTERNS[STOP];

const sum = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
