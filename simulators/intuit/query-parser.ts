import { fault } from "./api-fault.ts";

export type Operator = "=" | "<" | ">" | "<=" | ">=" | "LIKE" | "IN";
export type Condition = { property: string; operator: Operator; values: string[] };
export type Query = {
  entity: string;
  /** Selected properties; empty for `*`. */
  columns: string[];
  count: boolean;
  where: Condition[];
  orderBy: { property: string; descending: boolean }[];
  startPosition: number;
  maxResults: number;
};

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/** Parses one statement of the query language. @throws ApiFault 4000 for grammar, 4001 for values out of range */
export function parseQuery(statement: string): Query {
  const reader = tokenReader(tokenize(statement.trim().replace(/;$/, "")));
  reader.expectWord("SELECT");
  const { columns, count } = parseColumns(reader);
  reader.expectWord("FROM");
  const query: Query = {
    entity: reader.expect("word").text,
    columns,
    count,
    where: [],
    orderBy: [],
    startPosition: 1,
    maxResults: DEFAULT_PAGE,
  };
  if (reader.takeWord("WHERE")) parseConditions(reader, query);
  parseTail(reader, query);
  return query;
}

type Reader = ReturnType<typeof tokenReader>;

function parseColumns(reader: Reader): { columns: string[]; count: boolean } {
  if (reader.takeSymbol("*")) return { columns: [], count: false };
  if (reader.takeWord("COUNT")) {
    for (const symbol of ["(", "*", ")"]) reader.expectSymbol(symbol);
    return { columns: [], count: true };
  }
  const columns = [reader.expect("word").text];
  while (reader.takeSymbol(",")) columns.push(reader.expect("word").text);
  return { columns, count: false };
}

function parseConditions(reader: Reader, query: Query): void {
  do {
    const grouped = reader.takeSymbol("(");
    query.where.push(parseCondition(reader));
    if (grouped) reader.expectSymbol(")");
  } while (reader.takeWord("AND"));
}

function parseCondition(reader: Reader): Condition {
  const property = reader.expect("word").text;
  if (reader.takeWord("LIKE")) return { property, operator: "LIKE", values: [parseValue(reader)] };
  if (reader.takeWord("IN")) {
    reader.expectSymbol("(");
    const values = [parseValue(reader)];
    while (reader.takeSymbol(",")) values.push(parseValue(reader));
    reader.expectSymbol(")");
    return { property, operator: "IN", values };
  }
  const operator = (["=", "<=", ">=", "<", ">"] as const).find((symbol) => reader.takeSymbol(symbol));
  if (!operator) throw reader.unexpected();
  return { property, operator, values: [parseValue(reader)] };
}

function parseValue(reader: Reader): string {
  const token = reader.peek();
  if (token.kind === "text" || token.kind === "number") return reader.next().text;
  if (token.kind === "word" && /^(true|false)$/i.test(token.text)) return reader.next().text.toLowerCase();
  throw reader.unexpected();
}

function parseTail(reader: Reader, query: Query): void {
  while (reader.peek().kind !== "end") {
    if (reader.takeWord("ORDERBY")) parseOrder(reader, query);
    else if (reader.takeWord("ORDER")) {
      reader.expectWord("BY");
      parseOrder(reader, query);
    } else if (reader.takeWord("STARTPOSITION"))
      query.startPosition = parseSize(reader, { max: Number.MAX_SAFE_INTEGER });
    else if (reader.takeWord("MAXRESULTS")) query.maxResults = parseSize(reader, { max: MAX_PAGE });
    else throw reader.unexpected();
  }
}

function parseOrder(reader: Reader, query: Query): void {
  do {
    const property = reader.expect("word").text;
    const descending = reader.takeWord("DESC") || (reader.takeWord("ASC"), false);
    query.orderBy.push({ property, descending });
  } while (reader.takeSymbol(","));
}

function parseSize(reader: Reader, { max }: { max: number }): number {
  const size = Number(reader.expect("number").text);
  if (size < 1)
    throw fault("4001", `QueryValidationError: value ${size} is too small. Min allowed value is 1`);
  if (size > max)
    throw fault("4001", `QueryValidationError: value ${size} is too large. Max allowed value is ${max}`);
  return size;
}

function tokenReader(tokens: Token[]) {
  let at = 0;
  const peek = (): Token => tokens[at] ?? { kind: "end", text: "<EOF>", column: 0 };
  const next = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const unexpected = () =>
    fault(
      "4000",
      `QueryParserError: Encountered " "${peek().text}" "" at line 1, column ${peek().column + 1}.`,
    );
  const take = (kind: Token["kind"], text: string): boolean => {
    const matches = peek().kind === kind && peek().text.toUpperCase() === text;
    if (matches) at += 1;
    return matches;
  };
  return {
    peek,
    next,
    unexpected,
    takeWord: (text: string) => take("word", text),
    takeSymbol: (text: string) => take("symbol", text),
    expectWord: (text: string) => {
      if (!take("word", text)) throw unexpected();
    },
    expectSymbol: (text: string) => {
      if (!take("symbol", text)) throw unexpected();
    },
    expect: (kind: Token["kind"]): Token => {
      if (peek().kind !== kind) throw unexpected();
      return next();
    },
  };
}

export type Token = { kind: "word" | "text" | "number" | "symbol" | "end"; text: string; column: number };

const PATTERN = /\s+|([A-Za-z_][\w.]*)|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?)|(<=|>=|[=<>(),*])/y;

/**
 * Splits a query into tokens. In text, a backslash escapes the next character (`\'`).
 * @throws ApiFault 4000 for a character outside Latin-1, which the lexer does not support
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
