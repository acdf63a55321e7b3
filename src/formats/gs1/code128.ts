/** Function 1 in the data of a symbol: it separates element strings. A scanner transmits it as this character. */
export const SEPARATOR = "\u001D";

const CODE_C = 99;
const CODE_B = 100;
export const FNC1 = 102;
const START_B = 104;
const START_C = 105;
export const STOP = 106;

/** Widths of bars and spaces by code word, in modules, beginning with a bar. */
export const PATTERNS: readonly string[] =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`.split(/\s/);

/** Light space that a symbol needs at each side, in modules. */
export const QUIET_MODULES = 10;

/** Width of a symbol without its quiet zones; the stop character is two modules wider. */
export const modulesOf = (words: readonly number[]): number => words.length * 11 + 2;

/**
 * Code words of a GS1-128 symbol, from the start character to the stop character: as few as can be.
 * @param data element strings, those of no fixed length closed by `SEPARATOR`; no character outside CSET 82
 */
export function encodeGs1(data: string): number[] {
  if (data.length % 2 === 0 && /^\d+$/.test(data)) return encodePairs(data);
  const { inB, inC } = costsOf(data);
  let isC = (inC[0] ?? 0) <= (inB[0] ?? 0);
  const words = [isC ? START_C : START_B, FNC1];
  for (let at = 0; at < data.length;) {
    const inOther = isC ? directB(data, at, inB) : directC(data, at, inC);
    const inThis = isC ? directC(data, at, inC) : directB(data, at, inB);
    if (inOther + 1 < inThis) {
      words.push(isC ? CODE_B : CODE_C);
      isC = !isC;
    }
    at += pushNext(words, { data, at, isC });
  }
  words.push(checkWord(words), STOP);
  return words;
}

/** Pairs of digits alone need no other set. */
function encodePairs(data: string): number[] {
  const words = [START_C, FNC1];
  for (let at = 0; at < data.length; at += 2)
    words.push((data.charCodeAt(at) - ZERO) * 10 + data.charCodeAt(at + 1) - ZERO);
  words.push(checkWord(words), STOP);
  return words;
}

/** Appends the code word of the next characters. @returns how many they are */
function pushNext(words: number[], { data, at, isC }: { data: string; at: number; isC: boolean }): number {
  const code = data.charCodeAt(at);
  if (code === SEPARATOR_CODE) {
    words.push(FNC1);
    return 1;
  }
  words.push(isC ? (code - ZERO) * 10 + data.charCodeAt(at + 1) - ZERO : code - SPACE);
  return isC ? 2 : 1;
}

const SEPARATOR_CODE = 29;
const SPACE = 32;
const ZERO = 48;
const NEVER = 1000;

const isDigit = (code: number) => code >= ZERO && code <= ZERO + 9;

/** Code words still needed from each character on, when the set in force there is B or C. */
function costsOf(data: string): { inB: number[]; inC: number[] } {
  const inB = Array<number>(data.length + 1).fill(0);
  const inC = Array<number>(data.length + 1).fill(0);
  for (let at = data.length - 1; at >= 0; at -= 1) {
    const [b, c] = [directB(data, at, inB), directC(data, at, inC)];
    inB[at] = Math.min(b, c + 1);
    inC[at] = Math.min(c, b + 1);
  }
  return { inB, inC };
}

const directB = (_data: string, at: number, inB: readonly number[]) => 1 + (inB[at + 1] ?? NEVER);

function directC(data: string, at: number, inC: readonly number[]): number {
  const code = data.charCodeAt(at);
  if (code === SEPARATOR_CODE) return 1 + (inC[at + 1] ?? NEVER);
  return isDigit(code) && isDigit(data.charCodeAt(at + 1)) ? 1 + (inC[at + 2] ?? NEVER) : NEVER;
}

/** Sum of the code words by their places, the start character counting once, modulo 103. */
export function checkWord(words: readonly number[]): number {
  let sum = words[0] ?? 0;
  for (let place = 1; place < words.length; place += 1) sum += (words[place] ?? 0) * place;
  return sum % 103;
}
