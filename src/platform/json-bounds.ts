/**
 * Limits of a JSON document: nesting depth, approximate number of values, and number of field names (the most
 * expensive part).
 */
export type JsonBounds = { depth: number; values: number; names: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const ARRAY_START = 0x5b;
const OBJECT_START = 0x7b;
const ARRAY_END = 0x5d;
const OBJECT_END = 0x7d;

/**
 * Checks untrusted JSON against limits before it is parsed: a short text can nest so deeply that parsing,
 * validating and printing it takes seconds. Reads each byte once, parses nothing, and stops at the limits.
 */
export function isWithinBounds(text: Uint8Array, { depth, values, names }: JsonBounds): boolean {
  let open = 0;
  let valueCount = 0;
  let nameCount = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = findStringEnd(text, at);
    else if (byte === COMMA) valueCount += 1;
    else if (byte === COLON) nameCount += 1;
    else if (byte === ARRAY_START || byte === OBJECT_START) {
      open += 1;
      valueCount += 1;
    } else if (byte === ARRAY_END || byte === OBJECT_END) open -= 1;
    else continue;
    if (open > depth || valueCount > values || nameCount > names) return false;
  }
  return true;
}

/** Finds the closing quote of the string that starts at `start`. */
function findStringEnd(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
