/** Depth of a document, and its members: values and names of fields, nearly. */
export type JsonBounds = { depth: number; members: number };

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
export function isWithinBounds(text: Uint8Array, { depth, members }: JsonBounds): boolean {
  let open = 0;
  let count = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA || byte === COLON) count += 1;
    else if (OPENING.has(byte)) {
      open += 1;
      count += 1;
    } else if (CLOSING.has(byte)) open -= 1;
    if (open > depth || count > members) return false;
  }
  return true;
}
