import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./place.mjs";

/**
 * @typedef {object} Break
 * @property {string} name a sentence about what is broken
 * @property {string} file path of the source
 * @property {string} find text that occurs once in it
 * @property {string} replace text that breaks it
 * @property {string} test path of the test file
 * @property {"unit" | "api"} suite suite of that file
 * @property {string} title part of the title of the test that must fail
 */
/**
 * @typedef {object} Outcome
 * @property {"fell" | "survived" | "invalid"} kind invalid: the run proves nothing
 * @property {string} note the error of the test, or the reason why the run proves nothing
 * @property {boolean} [slow] whether the test had to be ended
 */

const KEYS = ["name", "file", "find", "replace", "test", "suite", "title"];

/** Vitest projects of each suite. */
export const PROJECTS = { unit: ["unit", "pages"], api: ["api"] };

/** Errors of code that does not run at all: any test would fail. */
const DOES_NOT_RUN = /^(SyntaxError|ReferenceError|TypeError)\b/;

/** Reads a list of breaks, and refuses one with an entry that is incomplete or named twice. @returns {Break[]} */
export function readBreaks(text) {
  const breaks = JSON.parse(text);
  const names = new Set();
  for (const entry of breaks) {
    const missing = KEYS.find((key) => typeof entry[key] !== "string");
    if (missing) throw new Refusal(`The break "${entry.name}" has no ${missing}.`);
    if (!PROJECTS[entry.suite])
      throw new Refusal(`The break "${entry.name}" names no suite: write unit or api.`);
    if (names.has(entry.name)) throw new Refusal(`Two breaks are named "${entry.name}".`);
    names.add(entry.name);
  }
  return breaks;
}

/**
 * Breaks a file of a copy of the checkout.
 * @param {Break} one
 * @returns {(() => void) | string} a function that restores the file; a sentence if it cannot be broken
 */
export function applyBreak(copy, { file, find, replace }) {
  const path = join(copy, file);
  const text = readIfThere(path);
  if (text === null) return `there is no file ${file}`;
  const found = text.split(find).length - 1;
  if (found !== 1) return `its text occurs ${found} times in ${file}`;
  // A function, because a text to insert may contain "$&".
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return () => writeFileSync(path, text);
}

/** Vitest's arguments that select the tests of some breaks, all of one suite. */
export function selectTests(breaks) {
  const files = [...new Set(breaks.map(({ test }) => test))];
  const titles = [...new Set(breaks.map(({ title }) => title.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")))];
  return [
    ...PROJECTS[breaks[0].suite].flatMap((project) => ["--project", project]),
    ...files,
    "-t",
    titles.length === 1 ? titles[0] : `(${titles.join("|")})`,
  ];
}

/**
 * Checks the run of a break's test, with the source broken.
 * @param report Vitest's JSON report; null if there is none
 * @param {Break} one
 * @returns {Outcome}
 */
export function checkBroken(report, entry) {
  const tests = findRun(report, entry);
  if (tests.length === 0) return { kind: "invalid", note: whyNone(report, entry) };
  const failed = tests.filter(({ status }) => status === "failed");
  if (failed.length === 0) return { kind: "survived", note: "the test passes" };
  const note = firstLine(failed[0].failureMessages?.[0]);
  return DOES_NOT_RUN.test(note) ? { kind: "invalid", note } : { kind: "fell", note };
}

/** Checks the run of a break's test with the source as it is. @returns {string | null} why it proves nothing */
export function checkUnbroken(report, entry) {
  const tests = findRun(report, entry);
  if (tests.length === 0) return whyNone(report, entry);
  const failed = tests.find(({ status }) => status === "failed");
  return failed ? `the test fails without the break: ${firstLine(failed.failureMessages?.[0])}` : null;
}

/** Finds the tests with a break's title that ran. */
const findRun = (report, { test, title }) =>
  (report?.testResults ?? [])
    .filter(({ name }) => name.endsWith(`/${test}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      (result) =>
        (result.status === "passed" || result.status === "failed") &&
        [...result.ancestorTitles, result.title].join(" > ").includes(title),
    );

function whyNone(report, { test, title }) {
  if (!report) return "no report was written";
  const file = report.testResults.find(({ name }) => name.endsWith(`/${test}`));
  return file?.status === "failed" && file.message
    ? `${test} could not be loaded: ${firstLine(file.message)}`
    : `no test "${title}" ran in ${test}`;
}

const firstLine = (text) => String(text ?? "").split("\n")[0];

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
