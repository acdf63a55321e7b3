// Threads that read workbooks load this file; it must not import any package.

/** Latin-1 without control characters and the backslash. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e\u00a0-\u00ff]*$/;

/**
 * Quotes a text as a string of Intuit's query language: in single quotes, `'` as `\'`.
 * @returns null if the text cannot be expressed: it contains a backslash (its treatment by the service is
 * unknown, and a guess could end the string early), a control character, or one outside Latin-1 (the
 * service's lexer fails on it)
 */
export function quoteText(text: string): string | null {
  return PLAIN.test(text) ? `'${text.replaceAll("'", "\\'")}'` : null;
}

/** A moment as queries take it, to the second. */
export const instantText = (instant: Date) => instant.toISOString().replace(/\.\d+Z$/, "+00:00");

const MAX_URL_BYTES = 2_000;

/** Whether a statement is too long for an address and must be sent as the body of a POST. */
export function isLongStatement(statement: string): boolean {
  return encodeURIComponent(statement).length > MAX_URL_BYTES;
}
