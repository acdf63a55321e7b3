/**
 * A value as the JSON text of a statement's parameter. Whatever strangers wrote is stored: a half of a character and
 * the character zero, which PostgreSQL refuses in jsonb, become the replacement character.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Looked for first: a function for every value costs several times as much as all the rest.
  return UNSTORABLE.test(text) ? JSON.stringify(value, storable) : text;
}

/** How JSON.stringify writes them; text that only looks like it costs no more than the second pass. */
const UNSTORABLE = /\\u(?:d[89a-f]|0000)/;

const storable = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value;
