import { existsSync } from "node:fs";
import { findGuards, hasGuards, readCases, REFUSALS } from "../lib/guards.mjs";
import { inRoot } from "../lib/place.mjs";
import { hasTest } from "../lib/test-titles.mjs";
import { readText } from "./files.mjs";

/** Checks that each guard of orders, shipping, tracking and billing has its case in `test/refusals.json`. */
export function checkRefusals(files) {
  const guards = files
    .filter(hasGuards)
    .flatMap((file) => findGuards(readText(file)).map(({ guard }) => ({ file, guard })));
  const cases = readCases(readText(REFUSALS));
  return [...compareGuards(guards, cases), ...cases.flatMap(checkTitle)];
}

/** Finds guards without a case, and cases without a guard. */
export function compareGuards(guards, cases) {
  const isSame = (guard) => (other) => guard.file === other.file && guard.guard === other.guard;
  return [
    ...guards
      .filter((guard) => !cases.some(isSame(guard)))
      .map(({ file, guard }) => `${file} has a guard without a case in ${REFUSALS}: ${guard}`),
    ...cases
      .filter((guardCase) => !guards.some(isSame(guardCase)))
      .map(({ file, guard }) => `${REFUSALS} has a case of a guard that ${file} doesn't have: ${guard}`),
    ...cases
      .filter((guardCase, at) => cases.findIndex(isSame(guardCase)) < at)
      .map(({ file, guard }) => `${REFUSALS} has two cases of one guard of ${file}: ${guard}`),
  ];
}

function checkTitle({ guard, test, title, reason }) {
  if (typeof reason === "string") return [];
  if (existsSync(inRoot(test)) && hasTest(readText(test), title)) return [];
  return [`${REFUSALS} names no test of ${test} for the guard ${guard}: ${title}`];
}
