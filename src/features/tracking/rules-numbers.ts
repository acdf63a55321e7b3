/** Numbers in an invoice's tracking field, and the names of other carriers whose numbers are there. */
export type FoundNumbers = { numbers: string[]; others: string[] };

/** Blanks and dashes that users put inside a number. */
const GAP = /[\s.\-\u00a0]/;
const MAX_NUMBERS = 40;

/** A package's number ends with eight digits; a word that follows `1Z` by chance does not. */
const UPS_NUMBER = /^1Z[0-9A-Z]{8}\d{8}$/;
/** The same without a gap: UPS's own samples have letters at the end. */
const UPS_SOLID = /^1Z[0-9A-Z]{16}$/;

/** Formats of other carriers, tried on what is left. */
const OTHERS: readonly (readonly [name: string, format: RegExp])[] = [
  ["USPS", /^(9[1-5]\d{18}|9[1-5]\d{20}|420\d{27}|420\d{31}|[A-Z]{2}\d{9}US)$/],
  ["FedEx", /^(\d{12}|\d{15}|96\d{20})$/],
  ["DHL", /^(JJD\d{16,20}|JD\d{16,18})$/],
];

/**
 * Finds tracking numbers in a text that users typed: several, with blanks inside, in lower case, with words around.
 * @see UPS's format of numbers: 1Z, six characters of the shipper, two of the service, eight digits
 */
export function findNumbers(text: string): FoundNumbers {
  const folded = text.toUpperCase();
  const numbers = new Set<string>();
  let rest = "";
  for (let at = 0; at < folded.length;) {
    const found = isStart(folded, at) ? readUps(folded, at) : null;
    if (found && numbers.size < MAX_NUMBERS) numbers.add(found.number);
    rest += found ? " " : folded.charAt(at);
    at = found ? found.end : at + 1;
  }
  const words = rest.split(/[^0-9A-Z\s.-]+|\s{2,}/).flatMap((part) => [part, ...part.split(/\s+/)]);
  const compact = words.map((word) => word.replaceAll(/[\s.-]/g, ""));
  const named = OTHERS.filter(
    ([name, format]) =>
      compact.some((word) => format.test(word)) || new RegExp(`\\b${name.toUpperCase()}\\b`).test(rest),
  );
  return { numbers: [...numbers], others: named.map(([name]) => name) };
}

const isWord = (character: string) => /[0-9A-Z]/.test(character);

/** A number may follow another without a gap, but does not begin inside a word. */
const isStart = (text: string, at: number) =>
  text.startsWith("1Z", at) &&
  (at === 0 || !isWord(text.charAt(at - 1)) || UPS_SOLID.test(text.slice(at - 18, at)));

function readUps(text: string, from: number): { number: string; end: number } | null {
  let number = "";
  let at = from;
  for (; at < text.length && number.length < 18; at += 1) {
    const character = text.charAt(at);
    if (isWord(character)) number += character;
    else if (!GAP.test(character)) return null;
  }
  const isSolid = at - from === 18;
  const isEnd = !isWord(text.charAt(at)) || text.startsWith("1Z", at);
  return isEnd && (isSolid ? UPS_SOLID : UPS_NUMBER).test(number) ? { number, end: at } : null;
}

/**
 * A value by which an invoice and a label of a purchase order find each other. "PO" and "No" are removed before a blank, a
 * sign or a digit, never from a word: "Portland" stays.
 */
export const foldKey = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/^\s*(?:(?:PO|P\.O\.)(?![A-Z]))?\s*(?:(?:NUMBER|NO\.?)(?![A-Z])|#)?\s*:?\s*|\s/g, "");
