import { findLetter } from "./other-scripts.ts";

/** Widths of the characters from space to tilde in thousandths of the size, as Adobe gives them for its standard fonts. */
const REGULAR =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
    .split(" ")
    .map(Number);
const BOLD =
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584"
    .split(" ")
    .map(Number);

/** Wider than most letters, for characters that have no base letter: a text must never be wider than was measured. */
const OTHER = 1000;

/** Width of a line in points; letters with accents are as wide as those without. */
export function measureText(text: string, size: number, isBold: boolean): number {
  const widths = isBold ? BOLD : REGULAR;
  let width = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    width += (code < 127 ? widths[code - 32] : widthOfOther(text.charAt(at), isBold)) ?? OTHER;
  }
  return (width * size) / 1000;
}

const widthOfOther = (character: string, isBold: boolean): number | undefined =>
  findLetter(character)?.[isBold ? "bold" : "regular"] ??
  (isBold ? BOLD : REGULAR)[character.normalize("NFD").charCodeAt(0) - 32];

/** Characters beyond Latin-1 that the standard encoding of PDF has, with their places in it. */
const ENCODED = new Map(
  [..."€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ"].map((character, at) => [character, 0x80 + at] as const),
);
ENCODED.delete("\0");

const PLAIN = /^[ -~\u00A0-\u00FF]*$/;

/** Whether the standard encoding has every character of a text; almost every text is such. */
export const isPlain = (text: string): boolean => PLAIN.test(text);

/** The first character of a text that no font here can print; undefined when all can be printed. */
export const unprintableIn = (text: string): string | undefined =>
  isPlain(text)
    ? undefined
    : [...text.normalize("NFC")].find(
        (character) => !isPlain(character) && !ENCODED.has(character) && !findLetter(character),
      );

/** A character as the standard encoding of PDF has it; undefined for those that it does not have. */
export function encodeCharacter(character: string): string | undefined {
  if (isPlain(character)) return character;
  const place = ENCODED.get(character);
  return place === undefined ? undefined : String.fromCharCode(place);
}
