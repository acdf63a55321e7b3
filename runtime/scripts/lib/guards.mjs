/** The case of each guard. */
export const REFUSALS = "test/refusals.json";

/** The features whose refusals protect money, labels and documents of others. */
const FEATURES = /^src\/features\/(billing|carrier|order-invoices|orders|packages|shipping|tracking)\//;
const IN_BROWSER = /\/web\//;

/** Where a guard refuses: by an error, or by a refused document or result in place of a good one. */
const REFUSES = /throw |return (?=refuse\w*\()|\? (?=refuse\w*\()/;

/** An error that is passed on, that only a bug of ours can cause, or that ends a run. */
const NO_REFUSAL = /^throw (?:\w+;|new (?:Error|AggregateError|Halted)\()/;

/** Whether the guards of a file need cases. */
export const hasGuards = (path) =>
  FEATURES.test(path) && !IN_BROWSER.test(path) && /(?<!\.test)\.ts$/.test(path);

/**
 * Finds the guards of a source: each `throw` of a refusal, `return refuse…(` and `? refuse…(`, with its condition, and as many
 * lines before it as distinguish it.
 * @returns {{ guard: string, find: string }[]} guard: on one line, as `test/refusals.json` names it; find: as it is written
 */
export function findGuards(text) {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const start = line.search(REFUSES);
    if (start < 0 || /^\s*(\*|\/\/|\/\*)/.test(line) || NO_REFUSAL.test(line.slice(start))) return [];
    // A guard that begins its line has its condition on an earlier one.
    let first = line.trim() === line.slice(start) ? at - 1 : at;
    while (first > 0 && text.split(write(lines, first, at)).length > 2) first -= 1;
    const find = write(lines, first, at);
    return [{ guard: find.replace(/\s+/g, " ").trim(), find }];
  });
}

const write = (lines, first, last) => lines.slice(first, last + 1).join("\n");

/**
 * Reads the cases of guards, which are grouped by source. A guard that no test can reach has a reason instead.
 * @typedef {{ file: string, guard: string, test: string, suite: "api" | "unit", title: string, reason?: string }} Case
 * title: part of the title of the test that fails without the guard
 * @returns {Case[]}
 */
export const readCases = (text) =>
  Object.entries(JSON.parse(text)).flatMap(([file, cases]) =>
    cases.map((guardCase) => ({ file, ...guardCase })),
  );

/**
 * Turns a guard's case into a break that takes the guard away.
 * @param {Case} guardCase
 * @param {string} text the source
 * @returns {import("./breaks.mjs").Break}
 */
export function breakGuard(guardCase, text) {
  const { find = guardCase.guard } = findGuards(text).find(({ guard }) => guard === guardCase.guard) ?? {};
  const last = [...find.matchAll(new RegExp(REFUSES, "g"))].at(-1)?.index ?? 0;
  const replace = find.slice(0, last) + takeAway(find.slice(last));
  const { file, test, suite, title } = guardCase;
  return { name: `Guard of ${file}: ${guardCase.guard}`, file, find, replace, test, suite, title };
}

/** Writes what refuses so that it doesn't. */
function takeAway(text) {
  if (text.startsWith("throw ")) return text.replace("throw ", "void ");
  return text.startsWith("return ") ? `if (false) ${text}` : `&& false ${text}`;
}
