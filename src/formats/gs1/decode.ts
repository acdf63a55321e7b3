import { CODE128_PATTERNS, ITF_PATTERNS, ITF_START, ITF_STOP } from "./bar-code.ts";
import { hasCheckDigit } from "./check-digit.ts";
import {
  checkWord,
  CODE_A,
  CODE_B,
  CODE_C,
  FNC1,
  SEPARATOR,
  START_A,
  START_B,
  START_C,
  STOP,
} from "./code128.ts";

/** Data as reported by a scanner; `SEPARATOR` terminates GS1 elements of variable length. */
export type Decoded = { kind: "gs1-128" | "code-128" | "itf-14"; data: string };

/**
 * Decodes a symbol from the widths of its bars and spaces.
 * @param widths in the format of `barWidths`
 * @returns null for an unknown pattern, or a wrong check character or check digit
 */
export function decodeBars(widths: string): Decoded | null {
  const [start, stop] = [ITF_PATTERNS[ITF_START] ?? "", ITF_PATTERNS[ITF_STOP] ?? ""];
  // No Code 128 symbol starts with two narrow bars and spaces.
  if (widths.startsWith(start) && widths.endsWith(stop))
    return decodeItf14(widths.slice(start.length, -stop.length));
  const last = CODE128_PATTERNS[STOP] ?? "";
  if (!widths.endsWith(last)) return null;
  const patterns = widths.slice(0, -last.length).match(/.{1,6}/g) ?? [];
  return decodeCode128([...patterns.map((pattern) => CODE_WORDS.get(pattern) ?? UNKNOWN), STOP]);
}

const UNKNOWN = -1;
const CODE_WORDS = new Map(CODE128_PATTERNS.map((pattern, word) => [pattern, word]));
const ITF_PAIRS = new Map(
  ITF_PATTERNS.slice(0, ITF_START).map((pattern, pair) => [pattern, String(pair).padStart(2, "0")]),
);

function decodeItf14(widths: string): Decoded | null {
  const pairs = (widths.match(/.{1,10}/g) ?? []).map((pattern) => ITF_PAIRS.get(pattern) ?? "");
  const data = pairs.join("");
  return pairs.length === 7 && data.length === 14 && hasCheckDigit(data) ? { kind: "itf-14", data } : null;
}

type CodeSet = "A" | "B" | "C";

const STARTS = new Map<number | undefined, CodeSet>([
  [START_A, "A"],
  [START_B, "B"],
  [START_C, "C"],
]);
/** Code words that change the code set, by the one they are in. */
const CHANGES: Record<CodeSet, ReadonlyMap<number, CodeSet>> = {
  A: new Map([
    [CODE_B, "B"],
    [CODE_C, "C"],
  ]),
  B: new Map([
    [CODE_A, "A"],
    [CODE_C, "C"],
  ]),
  C: new Map([
    [CODE_A, "A"],
    [CODE_B, "B"],
  ]),
};

/** Decodes the code words of a Code 128 symbol, from start to stop. Symbols of other makers may use code set A. */
export function decodeCode128(words: readonly number[]): Decoded | null {
  let set = STARTS.get(words[0]);
  if (!set || words.at(-1) !== STOP) return null;
  if (checkWord(words.slice(0, -2)) !== words.at(-2)) return null;
  const isGs1 = words[1] === FNC1;
  let data = "";
  for (const word of words.slice(isGs1 ? 2 : 1, -2)) {
    const change: CodeSet | undefined = CHANGES[set].get(word);
    if (word === FNC1 && isGs1) data += SEPARATOR;
    else if (change) set = change;
    else if (word === UNKNOWN || word > MAX_WORDS[set]) return null;
    else data += decodeWord(word, set);
  }
  return { kind: isGs1 ? "gs1-128" : "code-128", data };
}

const MAX_WORDS: Record<CodeSet, number> = { A: 95, B: 94, C: 99 };

function decodeWord(word: number, set: CodeSet): string {
  if (set === "C") return String(word).padStart(2, "0");
  // Set A has control characters in place of small letters.
  return String.fromCharCode(set === "A" && word >= 64 ? word - 64 : word + 32);
}
