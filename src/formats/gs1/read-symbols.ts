import { CODE128_PATTERNS, QUIET_MODULES } from "./bar-code.ts";
import { STOP } from "./code128.ts";

/** A symbol as it was found on a line of dots; `error` is the most an element is off its width, in modules. */
export type SeenSymbol = { words: number[]; error: number };

const MODULES = 11;
const STARTS: ReadonlySet<number> = new Set([103, 104, 105]);
const WORDS = new Map(CODE128_PATTERNS.map((pattern, word) => [pattern, word]));

/**
 * Code 128 symbols on one line of dots, as a scanner finds them: by the light space in front, and the widths of bars
 * and spaces from there on. @param dots 1 where the paper is black
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
