/**
 * Converts a value to JSON for a statement's parameter. Replaces unpaired surrogates and U+0000, which
 * PostgreSQL refuses in jsonb, so that any input can be stored.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Tested first: a replacer function for every value costs several times as much as everything else.
  return UNSTORABLE.test(text) ? JSON.stringify(value, storable) : text;
}

/** Their escapes in JSON.stringify's output; similar-looking text only costs the second pass. */
const UNSTORABLE = /\\u(?:d[89a-f]|0000)/;

const storable = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value;
