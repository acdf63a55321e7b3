import { isTest, readText } from "./files.mjs";

/** False friends, archaic words and British spellings, with replacements; docs/glossary.md has the terms. */
const REPLACEMENTS = {
  "wish wishes wished": "request, command or input",
  "fate fates": "outcome",
  vain: "without result",
  hasty: "single attempt or hurried",
  "taker takers": "holder of the number",
  "mend mends mended mending": "fix",
  anew: "again",
  amid: "during",
  whereupon: "then",
  "colour colours coloured": "color",
  "behaviour behaviours": "behavior",
  "catalogue catalogues": "catalog",
  "grey greys": "gray",
  "recognise recognises recognised": "recognize",
  "authorise authorises authorised": "authorize",
  "initialise initialises initialised": "initialize",
  "honour honours honoured": "honor",
  "neighbour neighbours neighbouring": "neighbor",
};

/** Names that are old only in this exact spelling. */
const NAMES = [
  [/\b(MOST|LONGEST)_[A-Z]\w*/g, "MAX_…"],
  [/\bLEAST_[A-Z]\w*/g, "MIN_…"],
  [/\b(const|let) people\b|\bPEOPLE\b/g, "users or e-mails"],
];

/** Habits in comments, titles and names, with replacements. */
const HABITS = [
  // A `//` line that continues the previous one does not start a comment.
  [
    /(?<=\/\*\*?\s+(?:\*\s+)?|(?<!\/\/[^\n]*\n[^\S\n]*)\/\/ )(?:What (?=\S)|(?:Of|Those) (?=[a-z]))/g,
    "the thing itself, beginning with a verb or a noun",
  ],
  [/(?<!`)\b(?:[Ss]omebody|[Nn]obody|[Ww]hoever|[Aa]nybody)\b/g, "user, admin, caller, worker or no one"],
  // The other names belong to the language or to libraries.
  [
    /\b(?!(?:(?:lastI|i)ndex|value|supportedValues|toBeInstance|instance|any|one|expectType|[gs]etPrototype|isPrototype)Of\b)[a-z]\w*Of(?=[(<])/g,
    "a verb, or the noun itself",
  ],
];

const REPLACEMENT_OF = new Map(
  Object.entries(REPLACEMENTS).flatMap(([words, say]) => words.split(" ").map((word) => [word, say])),
);

/** The glossary's last column contains the old words themselves, and so do this list and its test. */
const LISTS = /^(docs\/glossary\.md|runtime\/scripts\/check\/old-words\.(mjs|test\.ts))$/;
const CODE = /\.(tsx?|mjs)$/;

/**
 * Finds old words in names, comments, test titles, documents and SQL. Texts shown to users are strings and
 * are skipped.
 * @param read returns a file's text
 */
export function checkOldWords(files, read = readText) {
  return files
    .filter((file) => /\.(tsx?|mjs|css|sql|md)$/.test(file) && !LISTS.test(file))
    .flatMap((file) => [...inName(file), ...inLines(file, read(file))]);
}

const inName = (file) =>
  wordsIn(file).map((word) => `${file} is called "${word}": say ${REPLACEMENT_OF.get(word)}`);

function inLines(file, text) {
  const isCode = CODE.test(file);
  const readable = isCode ? withoutStrings(text, isTest(file) || file.startsWith("test/")) : quoteless(text);
  const findings = readable
    .split("\n")
    .flatMap((line, index) => [
      ...wordsIn(line).map((word) => [index + 1, word, REPLACEMENT_OF.get(word)]),
      ...NAMES.flatMap(([name, say]) => (line.match(name) ?? []).map((found) => [index + 1, found, say])),
    ]);
  const habits = isCode
    ? HABITS.flatMap(([habit, say]) =>
        [...readable.matchAll(habit)].map((match) => [lineAt(readable, match.index), match[0].trim(), say]),
      )
    : [];
  return [...findings, ...habits].map(([line, found, say]) => `${file}:${line} says "${found}": say ${say}`);
}

const lineAt = (text, index) => text.slice(0, index).split("\n").length;

/** Lists the words of a line, including those inside camelCase names. */
function wordsIn(line) {
  return line
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => REPLACEMENT_OF.has(word));
}

/** Removes quotations of screen texts or of the specification, which we can't change. */
const quoteless = (text) => text.replace(/"[^"\n]*"|“[^”\n]*”/g, '""');

const TOKENS =
  /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|(?<=[=(,:[!&|?{}\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|>[^<>{}=;()]*[A-Za-z][^<>{}=;()]*<\//g;
const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^"`]*\)|\([^]*\])?\)?\(\s*$/;

/** Removes strings, patterns and JSX texts from code, keeping line numbers; test titles stay if requested. */
function withoutStrings(text, keepTitles) {
  return text.replace(TOKENS, (token, at) => {
    if (token.startsWith("/*") || token.startsWith("//")) return quoteless(token);
    if (keepTitles && /^["`]/.test(token) && isTitle(text, at)) return token;
    return token.replace(/[^\n]/g, " ");
  });
}

/** A title follows `test(`, or the `)(` after the cases of `test.each`. */
function isTitle(text, at) {
  const before = text.slice(Math.max(0, at - 80), at);
  return TITLE.test(before) || /[\])]\s*(?:as const)?\)\(\s*$/.test(before);
}
