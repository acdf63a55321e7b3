import { readText } from "./files.mjs";

/** Files with texts of screens and messages: the pages' catalogs, and the server's sentences. */
const CATALOG = /(^|\/)((words|sentences)(-[\w-]+)?|[\w-]+-words)\.ts$|\/rules-(remarks|sheet)\.ts$/;

/** Other texts that users read: the sentence of a refusal, in any file. */
const REFUSAL =
  /\b(?:detail:|(?:notFound|conflict|badRequest|forbidden)\((?:\s*"\w+",)?)\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`)/g;

/** Words that read as translated, with those that an American bookkeeper would use. */
const REFUSED = [
  [/\bcannot\b/i, "can't"],
  [
    /\b(is|are|was|were|do|does|did|has|have|had|will|would|could|should) not\b(?! only\b)/i,
    "the contraction",
  ],
  [/\be-mails?\b/i, "email"],
  [/\bworkbook/i, "spreadsheet or file", /(Excel|Protect|Binary) Workbook|the workbook is a beta/gi],
  [/\b(is not|isn't|are) taken\b/i, "what works or doesn't, in the active voice"],
  [/\bhas to be\b|\bhave to be\b/i, "needs, or the imperative"],
  [/\b(Nobody|Somebody) has said\b|\bTell us what the\b|\bSay (which|what|whether)\b/, "Match, or Choose"],
  [/\bcomes with a later version\b|\bthis page does nothing yet\b/i, "Coming soon"],
  [/\bposted whole or not\b|\bin doubt\b/i, "what needs fixing, or Not confirmed by QuickBooks"],
  [/\bSee its rows\b/, "View details"],
  [/\bbar codes?\b/i, "barcode"],
  [/\b\d{4}-\d{2}-\d{2}\b/, "dates as readers write them: 1/31/2026"],
  [/\bUTC\b/, "the company's own days"],
  [/\bany more\b/, "anymore"],
  [/\bswitched (on|off)\b/, "turned on or off"],
  [/’/, "a straight apostrophe"],
  [/[“”]/, "straight quotation marks"],
];

/** Texts fixed by the specification, and names that belong to others. */
const GIVEN = [
  "We were not able to load this page.",
  "This page could not be located.",
  "Sign-in did not complete",
  "is not affiliated with",
  // A file for machines and auditors in any time zone.
  "Time (UTC)",
];

/** Finds words on screens and in messages that must not return. @param read returns a file's text */
export function checkScreenWords(files, read = readText) {
  return files
    .filter((file) => /^src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|\/fixtures\//.test(file))
    .flatMap((file) => {
      const text = read(file);
      return inFile(file, text, CATALOG.test(file) ? TOKENS : REFUSAL);
    });
}

function inFile(file, text, tokens) {
  return findStrings(text, tokens).flatMap(({ line, words }) =>
    REFUSED.filter(([refused, , allowed]) => refused.test(allowed ? words.replace(allowed, "") : words)).map(
      ([refused, say]) => `${file}:${line} shows "${words.match(refused)?.[0]}": write ${say}`,
    ),
  );
}

const TOKENS = /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`/g;

/** Finds the strings of a catalog, without comments and without texts fixed by the specification. */
function findStrings(text, tokens) {
  return [...text.matchAll(tokens)]
    .map(({ 0: match, 1: token = match, index }) => ({ token, index }))
    .filter(({ token }) => !/^(\/|"[#.])/.test(token))
    .map(({ token, index }) => ({
      line: text.slice(0, index).split("\n").length,
      words: GIVEN.reduce((words, given) => words.replaceAll(given, ""), token.slice(1, -1)),
    }));
}
