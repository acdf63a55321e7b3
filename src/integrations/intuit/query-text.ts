// Threads that read workbooks load this file, and must load no package with it.

/**
 * Writes a text as a string of Intuit's query language: in single quotes, `'` as `\'`.
 * @returns null when the text cannot be asked for: it holds a backslash (how the service reads one is not known, and a
 * guess could end the string early), a control character, or one outside Latin-1 (the service's lexer fails on it)
 */
export function quoteText(text: string): string | null {
  const isPlain = [...text].every((char) => char !== "\\" && /^[\x20-\x7e\u00a0-\u00ff]$/.test(char));
  return isPlain ? `'${text.replaceAll("'", "\\'")}'` : null;
}

const BYTES_OF_ADDRESS = 2_000;

/** Whether a statement is too long to stand in an address and must go as the body of a POST. */
export function isLongStatement(statement: string): boolean {
  return encodeURIComponent(statement).length > BYTES_OF_ADDRESS;
}
