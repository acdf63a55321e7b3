export type Symbology = "code128" | "itf";

/** A barcode as its characters from start to stop: Code 128 code words, or ITF digit pairs. */
export type BarCode = { symbology: Symbology; words: readonly number[] };

/** Quiet zone required on each side of a symbol, in modules. */
export const QUIET_MODULES = 10;

/** Widths of Code 128's bars and spaces by code word, in modules, starting with a bar. */
export const CODE128_PATTERNS: readonly string[] =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`.split(/\s/);

/** Elements of an ITF digit, narrow or wide; two of the five are wide. */
const ITF_DIGITS = "nnwwn wnnnw nwnnw wwnnn nnwnw wnwnn nwwnn nnnww wnnwn nwnwn".split(" ");
export const ITF_START = 100;
export const ITF_STOP = 101;

/**
 * Widths of ITF's bars and spaces by digit pair, then start and stop, in half modules: a wide element is 2.5
 * narrow ones, as GS1 recommends. The first digit of a pair is in the bars, the second in the spaces between
 * them.
 */
export const ITF_PATTERNS: readonly string[] = [
  ...ITF_DIGITS.flatMap((bars) =>
    ITF_DIGITS.map((spaces) => [...bars].map((bar, place) => `${bar}${spaces.charAt(place)}`).join("")),
  ),
  "nnnn",
  "wnn",
].map((pattern) => pattern.replaceAll("n", "2").replaceAll("w", "5"));

/**
 * Thickness of the bars along top and bottom of ITF; they make a slanted scan that would miss digits fail.
 */
export const BEARER_MODULES = 2;

/** Number of `barWidths` units per module. */
export const UNITS_PER_MODULE = { code128: 1, itf: 2 } as const satisfies Record<Symbology, number>;

/** Alternating widths of bars and spaces, one digit each, starting and ending with a bar. */
export function barWidths({ symbology, words }: BarCode): string {
  const patterns = symbology === "code128" ? CODE128_PATTERNS : ITF_PATTERNS;
  let widths = "";
  for (const word of words) widths += patterns[word] ?? "";
  return widths;
}

/** Width without quiet zones. The stop of Code 128 is two modules wider than its other characters. */
export const countModules = ({ symbology, words }: BarCode): number =>
  symbology === "code128" ? words.length * 11 + 2 : (words.length - 2) * 16 + 8.5;
