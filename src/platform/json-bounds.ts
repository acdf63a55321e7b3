/** Depth of a document, its values, nearly, and names of its fields, which cost most. */
export type JsonBounds = { depth: number; values: number; names: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Tells whether a foreign JSON text may be parsed: a small text can be as deep as it is long, and costs seconds in what
 * parses, checks and prints it. Reads each byte once, parses nothing, and stops at the bounds.
 */
export function isWithinBounds(text: Uint8Array, { depth, values, names }: JsonBounds): boolean {
  let open = 0;
  let counted = 0;
  let named = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) counted += 1;
    else if (byte === COLON) named += 1;
    else if (OPENING.has(byte)) {
      open += 1;
      counted += 1;
    } else if (CLOSING.has(byte)) open -= 1;
    if (open > depth || counted > values || named > names) return false;
  }
  return true;
}
