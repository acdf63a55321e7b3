import { findBase, git } from "../lib/base.mjs";
import { LEDGER, readLedger, sumSeconds } from "../lib/ledger.mjs";
import { readText } from "./files.mjs";

/** CPU seconds; those of a browser test include its browser. */
const MAX_SECONDS = 20;
const MAX_BROWSER_SECONDS = 40;
/** Growth of the sum in one change. */
const MAX_GROWTH = 0.05;

/** Checks what the tests of `npm test` take: each of its files and, against the commit before the work, their sum. */
export function checkLedger(files) {
  const tests = files.filter((file) => /(?<!\.full)\.test\.tsx?$/.test(file));
  const base = findBase();
  const before = base && git("show", `${base}:${LEDGER}`);
  return compareLedgers(tests, readLedger(readText(LEDGER)), before ? readLedger(before) : null);
}

export function compareLedgers(tests, ledger, before) {
  const faults = [];
  for (const test of tests) {
    const most = test.startsWith("test/e2e/") ? MAX_BROWSER_SECONDS : MAX_SECONDS;
    if (ledger[test] === undefined) faults.push(`${test} is not in ${LEDGER}: npm test -- ledger ${test}`);
    else if (ledger[test] > most)
      faults.push(
        `${test} takes ${ledger[test]} CPU seconds, more than ${most}: shorten it, or name it .full.test.ts`,
      );
  }
  const now = sumSeconds(ledger);
  const then = before ? sumSeconds(before) : now;
  if (now > then * (1 + MAX_GROWTH)) {
    const growth = Object.keys(ledger)
      .map((file) => [file, ledger[file] - (before[file] ?? 0)])
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([file, seconds]) => `${file} +${seconds.toFixed(1)}`);
    faults.push(
      `${LEDGER} grew from ${then.toFixed(0)} to ${now.toFixed(0)} CPU seconds, more than 5 %: ${growth.join(", ")}`,
    );
  }
  return faults;
}
