import type { BarCode } from "./bar-code.ts";

/** Function 1 within the data of a symbol, as scanners transmit it: it separates element strings. */
export const SEPARATOR = "\u001D";

export const CODE_C = 99;
export const CODE_B = 100;
export const CODE_A = 101;
export const FNC1 = 102;
export const START_A = 103;
export const START_B = 104;
export const START_C = 105;
export const STOP = 106;

/** Characters that code set B has and scanners transmit unchanged: printable ASCII. */
export const CODE128_TEXT = /^[ -~]+$/;

/**
 * Encodes a GS1-128 symbol in as few code words as possible.
 * @param data element strings, those of variable length terminated by `SEPARATOR`; only characters of CSET 82
 */
export const encodeGs1 = (data: string): BarCode => encode(data, [FNC1]);

/**
 * Encodes a plain Code 128 symbol, without the function 1 that marks GS1 data.
 * @throws RangeError if a character is not printable ASCII, or there is none
 */
export function encodeCode128(text: string): BarCode {
  if (!CODE128_TEXT.test(text)) throw new RangeError(`Code 128 cannot hold: ${text}`);
  return encode(text, []);
}

const SEPARATOR_CODE = 29;
const SPACE = 32;
const ZERO = 48;
const NEVER = 1000;

/** @param marks code words between the start character and the data */
function encode(data: string, marks: readonly number[]): BarCode {
  // Digit pairs alone need no other code set.
  const isPairs = data.length % 2 === 0 && /^\d+$/.test(data);
  const { inB, inC } = isPairs ? { inB: [], inC: [] } : costs(data);
  let isC = isPairs || (inC[0] ?? 0) <= (inB[0] ?? 0);
  const words = [isC ? START_C : START_B, ...marks];
  for (let at = 0; at < data.length;) {
    const code = data.charCodeAt(at);
    if (!isPairs) {
      const inOther = isC ? stepInB(at, inB) : stepInC(data, at, inC);
      const inThis = isC ? stepInC(data, at, inC) : stepInB(at, inB);
      if (inOther + 1 < inThis) {
        words.push(isC ? CODE_B : CODE_C);
        isC = !isC;
      }
    }
    if (code === SEPARATOR_CODE) words.push(FNC1);
    else words.push(isC ? (code - ZERO) * 10 + data.charCodeAt(at + 1) - ZERO : code - SPACE);
    at += isC && code !== SEPARATOR_CODE ? 2 : 1;
  }
  words.push(checkWord(words), STOP);
  return { symbology: "code128", words };
}

/** Counts the code words still needed from each character on, if the current code set is B or C. */
function costs(data: string): { inB: number[]; inC: number[] } {
  const inB = Array<number>(data.length + 1).fill(0);
  const inC = Array<number>(data.length + 1).fill(0);
  for (let at = data.length - 1; at >= 0; at -= 1) {
    const [b, c] = [stepInB(at, inB), stepInC(data, at, inC)];
    inB[at] = Math.min(b, c + 1);
    inC[at] = Math.min(c, b + 1);
  }
  return { inB, inC };
}

const stepInB = (at: number, inB: readonly number[]) => 1 + (inB[at + 1] ?? NEVER);

function stepInC(data: string, at: number, inC: readonly number[]): number {
  const code = data.charCodeAt(at);
  if (code === SEPARATOR_CODE) return 1 + (inC[at + 1] ?? NEVER);
  return isDigit(code) && isDigit(data.charCodeAt(at + 1)) ? 1 + (inC[at + 2] ?? NEVER) : NEVER;
}

const isDigit = (code: number) => code >= ZERO && code <= ZERO + 9;

/**
 * Computes the check word: the sum of code words weighted by position, with the start character counted once,
 * modulo 103.
 */
export function checkWord(words: readonly number[]): number {
  let sum = words[0] ?? 0;
  for (let place = 1; place < words.length; place += 1) sum += (words[place] ?? 0) * place;
  return sum % 103;
}
