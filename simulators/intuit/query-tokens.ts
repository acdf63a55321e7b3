import { fault } from "./api-fault.ts";

export type Token = { kind: "word" | "text" | "number" | "symbol" | "end"; text: string; column: number };

const PATTERN = /\s+|([A-Za-z_][\w.]*)|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?)|(<=|>=|[=<>(),*])/y;

/**
 * Words of a query. In text, a backslash makes the next character plain (`\'`).
 * @throws ApiFault 4000 at a character the lexer does not know, which is every one beyond Latin-1
 */
export function tokenize(statement: string): Token[] {
  const strange = /[^\u0000-\u00ff]/.exec(statement);
  if (strange) throw lexical(statement, strange.index);
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < statement.length) {
    const column = PATTERN.lastIndex;
    const match = PATTERN.exec(statement);
    if (!match) throw lexical(statement, column);
    const [, word, text, number, symbol] = match;
    if (word !== undefined) tokens.push({ kind: "word", text: word, column });
    else if (text !== undefined) tokens.push({ kind: "text", text: text.replace(/\\(.)/g, "$1"), column });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, column });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, column });
  }
  return [...tokens, { kind: "end", text: "<EOF>", column: statement.length }];
}

function lexical(statement: string, index: number): Error {
  const code = statement.charCodeAt(index);
  const shown = code > 0x7e || code < 0x20 ? `\\u${code.toString(16).padStart(4, "0")}` : statement[index];
  return fault(
    "4000",
    `QueryParserError: Lexical error at line 1, column ${index + 1}.  Encountered: "${shown}" (${code}), after : "${statement.slice(Math.max(0, index - 10), index)}"`,
  );
}
