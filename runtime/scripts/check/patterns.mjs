import { parseAst } from "vite";
import { isSource, isTest, readText, repositoryFiles } from "./files.mjs";

/**
 * Refuses regular expressions of `src` whose time grows with the square of a text, or faster: one foreign text of some
 * kilobytes stops the server. Each is timed on texts made of its own parts. A program of its own, so that it runs in
 * the server's version of Node; prints its findings.
 */

/** Characters of a text: a linear pattern needs microseconds, a quadratic one 50 ms, a cubic one minutes. */
const LONG = 10_000;
/** Lengths at which exponential patterns need milliseconds, and cubic ones a few more. */
const SHORT = [18, 24, 400];
const MAX_MS = 10;

/** Accepted slow patterns, each with its reason. */
const THREAD = "headers of a file, which is read in a thread that is ended after 20 seconds of the processor";
const ACCEPTED = new Map([
  [
    "paid$|(?:price|rate|fee|amount|total|charge|cost|discount|tax|balance).*(?:weight|year|month|week|days?)$",
    THREAD,
  ],
  ["discount.*(?:percent|pct|rate)$|^(?:percent|pct).*discount|^discpercent$", THREAD],
]);

const ALPHABET = [..."a0 x_-./:,;=@<>()[]{}\"'%$+*!?#&|\\^~`AZ9\t\n\0é"];
const ATOM =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|[^]/gu;
const NOT_A_CHARACTER = /^(?:[()|*+?^$]|\\[bBk1-9].*|\(\?.*|\{\d.*)$/;

/** Without a repetition that has no end, a pattern reads a part of limited size at each place. */
const HAS_REPETITION = /[*+]|\{\d+,\}/;

/** Patterns of the sources that repeat something, each once, with the places where they are. */
function findPatterns() {
  const found = new Map();
  for (const path of repositoryFiles().filter((file) => file.startsWith("src/") && isSource(file))) {
    if (isTest(path)) continue;
    const text = readText(path);
    const lang = path.endsWith("x") ? "tsx" : "ts";
    walk(parseAst(text, { lang }), ({ type, regex, start }) => {
      if (type !== "Literal" || !regex || !HAS_REPETITION.test(regex.pattern)) return;
      const place = `${path}:${text.slice(0, start).split("\n").length}`;
      const key = `/${regex.pattern}/${regex.flags}`;
      const known = found.get(key) ?? { pattern: new RegExp(regex.pattern, regex.flags), places: [] };
      found.set(key, { ...known, places: [...known.places, place] });
    });
  }
  return [...found.values()].map(({ pattern, places }) => [pattern, places]);
}

function walk(node, visit) {
  if (typeof node.type === "string") visit(node);
  for (const value of Object.values(node))
    if (typeof value === "object" && value !== null) walk(value, visit);
}

/** Finds a text on which a pattern is slow: a beginning, a part repeated, and an end that matches nothing. */
export function findSlowText(pattern) {
  const samples = sampleAtoms(pattern);
  // Characters of classes first: they are what a pattern repeats.
  const characters = [
    ...new Set([...samples.filter(({ isClass }) => isClass), ...samples].map(({ character }) => character)),
  ].slice(0, 10);
  const words = listWords(pattern.source);
  const parts = new Set([...characters, ...words]);
  for (const character of characters) for (const other of characters) parts.add(character + other);
  for (const word of words) for (const character of characters) parts.add(word + character);
  const beginnings = new Set([
    "",
    ...samples.map((_, at) =>
      samples
        .slice(0, at)
        .map(({ character }) => character)
        .join(""),
    ),
  ]);
  for (const size of [...SHORT, LONG])
    for (const part of parts)
      for (const beginning of part.length === 1 ? beginnings : ["", "x"])
        for (const end of part.length === 2 ? ["\0"] : ["\0", "\n", `\n${part}`, "x"]) {
          // A word needs a longer text to be there as often.
          const repeats = part.length < 3 ? size / part.length : (3 * size) / part.length;
          const text = beginning + part.repeat(repeats) + end;
          const ms = Math.min(time(pattern, text), MAX_MS + 1) > MAX_MS ? time(pattern, text) : 0;
          if (ms > MAX_MS)
            return { ms: Math.round(ms), name: JSON.stringify([beginning, part, end].join(" … ")) };
        }
  return null;
}

/** Measures the processor's time, not the clock's: other programs use the machine too. */
function time(pattern, text) {
  const before = process.threadCpuUsage();
  text.replace(pattern, "");
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** One character for each part of a pattern that stands for one, in its order. */
function sampleAtoms({ source, flags }) {
  const atoms = source.match(ATOM).filter((atom) => !NOT_A_CHARACTER.test(atom));
  return atoms.flatMap((atom) => {
    const matcher = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ""));
    const taken = ALPHABET.filter((character) => matcher.test(character));
    if (atom.length === 1) return [{ character: taken[0] ?? atom, isClass: false }];
    // One in a word and one between words, so that a pattern can begin again at each.
    const both = [taken[0], taken.find((character) => /\W/.test(character))];
    return [...new Set(both)].filter(Boolean).map((character) => ({ character, isClass: true }));
  });
}

/** Words that a pattern consists of, such as `discount`. */
function listWords(source) {
  const literal = source.replaceAll(/\\[a-z]|(?<!\\)(?:\.|\[(?:\\.|[^\]\\])*\])/gi, " ").replaceAll("\\", "");
  return [...new Set(literal.match(/[\w/:<"'^=[$.-]{2,}/g) ?? [])];
}

if (import.meta.main) {
  const used = new Set();
  const findings = findPatterns().flatMap(([pattern, places]) => {
    const slow = findSlowText(pattern);
    if (slow && ACCEPTED.has(pattern.source)) used.add(pattern.source);
    else if (slow) return `${places.join(", ")} /${pattern.source}/ takes ${slow.ms} ms for ${slow.name}`;
    return [];
  });
  for (const source of ACCEPTED.keys())
    if (!used.has(source))
      findings.push(`runtime/scripts/check/patterns.mjs accepts /${source}/ without need`);
  process.stdout.write(findings.join("\n"));
  process.exitCode = findings.length > 0 ? 1 : 0;
}
