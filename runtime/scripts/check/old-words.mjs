import { isTest, readText } from "./files.mjs";

/** False friends, words of an older English and British spellings, with what to write instead; docs/glossary.md has the terms. */
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
  "recognise recognises recognised": "recognize",
};

/** Names that are old only as they are written here. */
const NAMES = [
  [/\b(MOST|LONGEST)_[A-Z]\w*/g, "MAX_…"],
  [/\b(const|let) people\b|\bPEOPLE\b/g, "users or e-mails"],
];

/** Habits of code's comments, titles and names, with what to write instead. */
const HABITS = [
  // A `//` line that continues the one before it begins no comment.
  [
    /(?<=\/\*\*?\s+(?:\*\s+)?|(?<!\/\/[^\n]*\n[^\S\n]*)\/\/ )What (?=\S)/g,
    "the thing itself, beginning with a verb or a noun",
  ],
  [/(?<!`)\b(?:[Ss]omebody|[Nn]obody|[Ww]hoever|[Aa]nybody)\b/g, "user, admin, caller, worker or no one"],
  // The other names are the language's or a library's.
  [
    /\b(?!(?:(?:lastI|i)ndex|value|supportedValues|toBeInstance|instance|any|one|expectType|[gs]etPrototype|isPrototype)Of\b)[a-z]\w*Of(?=[(<])/g,
    "a verb, or the noun itself",
  ],
];

const REPLACEMENT_OF = new Map(
  Object.entries(REPLACEMENTS).flatMap(([words, say]) => words.split(" ").map((word) => [word, say])),
);

/** The glossary's last column holds the old words themselves, and so do this list and its test. */
const LISTS = /^(docs\/glossary\.md|runtime\/scripts\/check\/old-words\.(mjs|test\.ts))$/;
const CODE = /\.(tsx?|mjs)$/;

/**
 * Old words in names, comments, titles of tests, documents and SQL. Texts that users see are strings, and not read.
 * @param read gives a file's text
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

/** Old words of a line, those inside camelCase names too. */
function wordsIn(line) {
  return line
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => REPLACEMENT_OF.has(word));
}

/** Quotations of what users see or of the specification are not ours to change. */
const quoteless = (text) => text.replace(/"[^"\n]*"|“[^”\n]*”/g, '""');

const TOKENS =
  /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|(?<=[=(,:[!&|?{}\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|>[^<>{}=;()]*[A-Za-z][^<>{}=;()]*<\//g;
const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^"`]*\)|\([^]*\])?\)?\(\s*$/;

/** Code without its strings, patterns and JSX texts, lines kept; titles of tests stay when they are to be read. */
function withoutStrings(text, keepTitles) {
  return text.replace(TOKENS, (token, at) => {
    if (token.startsWith("/*") || token.startsWith("//")) return quoteless(token);
    if (keepTitles && /^["`]/.test(token) && isTitle(text, at)) return token;
    return token.replace(/[^\n]/g, " ");
  });
}

/** A title follows `test(`, or the `)(` behind the cases of `test.each`. */
function isTitle(text, at) {
  const before = text.slice(Math.max(0, at - 80), at);
  return TITLE.test(before) || /[\])]\s*(?:as const)?\)\(\s*$/.test(before);
}
