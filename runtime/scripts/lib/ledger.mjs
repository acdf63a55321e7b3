import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { inRoot } from "./place.mjs";

/** The CPU seconds of each test file of `npm test`: `{ FILE: SECONDS }`. */
export const LEDGER = "test/ledger.json";
/** Runners append `[FILE, SECONDS]` lines here. */
export const MEASURED = inRoot(".cache/test/ledger.jsonl");

export const readLedger = (text) => JSON.parse(text ?? "{}");
export const sumSeconds = (ledger) => Object.values(ledger).reduce((sum, seconds) => sum + seconds, 0);

/** Makes runners started from now on record the CPU time of each test file. */
export function measureFiles() {
  rmSync(MEASURED, { force: true });
  process.env.LEDGER = MEASURED;
}

/**
 * Writes what was measured into the ledger.
 * @param {boolean} isWhole whether every test file was measured; other entries are then dropped
 * @returns {number} the sum of the ledger, in seconds
 */
export function writeLedger(isWhole) {
  const file = inRoot(LEDGER);
  const old = existsSync(file) ? readLedger(readFileSync(file, "utf8")) : {};
  const lines = readFileSync(MEASURED, "utf8").trim().split("\n");
  const ledger = mergeMeasured(
    old,
    lines.map((line) => JSON.parse(line)),
    isWhole,
  );
  for (const name of Object.keys(ledger)) if (!existsSync(inRoot(name))) delete ledger[name];
  writeFileSync(file, `${JSON.stringify(ledger, null, 2)}\n`);
  return sumSeconds(ledger);
}

/**
 * Merges measurements into a ledger, sorted by name. Browser tests are measured one by one and added up. A figure is kept if the
 * new one differs only by measurement noise.
 */
export function mergeMeasured(old, measured, isWhole) {
  const sums = {};
  for (const [file, seconds] of measured) sums[file] = (sums[file] ?? 0) + seconds;
  const merged = isWhole ? {} : { ...old };
  for (const [file, seconds] of Object.entries(sums)) {
    const known = old[file];
    const isSame = known !== undefined && Math.abs(seconds - known) <= Math.max(0.5, known * 0.15);
    merged[file] = isSame ? known : Math.round(seconds * 10) / 10;
  }
  return Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)));
}
