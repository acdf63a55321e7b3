import { CODE128_PATTERNS, ITF_PATTERNS, ITF_START, ITF_STOP } from "./bar-code.ts";
import { hasCheckDigit } from "./check-digit.ts";
import { checkWord, CODE_B, CODE_C, FNC1, SEPARATOR, START_B, START_C, STOP } from "./code128.ts";

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

/** Decodes the code words of a Code 128 symbol, from start to stop. */
export function decodeCode128(words: readonly number[]): Decoded | null {
  const [start, first] = words;
  if ((start !== START_B && start !== START_C) || words.at(-1) !== STOP) return null;
  if (checkWord(words.slice(0, -2)) !== words.at(-2)) return null;
  const isGs1 = first === FNC1;
  let isC = start === START_C;
  let data = "";
  for (const word of words.slice(isGs1 ? 2 : 1, -2)) {
    if (word === FNC1 && isGs1) data += SEPARATOR;
    else if (word === (isC ? CODE_B : CODE_C)) isC = !isC;
    else if (word === UNKNOWN || word > (isC ? 99 : 94)) return null;
    else data += isC ? String(word).padStart(2, "0") : String.fromCharCode(word + 32);
  }
  return { kind: isGs1 ? "gs1-128" : "code-128", data };
}
