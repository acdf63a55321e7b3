import { appendFileSync } from "node:fs";

/** Length of a battery: short with all tests, long by `npm run faults`. */
export type Battery = { isLong: boolean; seed: number; times: number; timeout: number };

/** Long forms mostly wait for a vendor, and on a busy machine for processor time. */
const MAX_RUN_MS = 1_800_000;

/**
 * Reads how many times a battery tries and from which seed.
 * @param counts how many tries the short and the long form make by default
 */
export function battery(counts: { short: number; long: number }): Battery {
  const isLong = process.env.FAULTS === "long";
  const times = Number(process.env.FAULTS_TIMES ?? (isLong ? counts.long : counts.short));
  return {
    isLong,
    times,
    seed: Number(process.env.FAULTS_SEED ?? 7),
    timeout: isLong ? MAX_RUN_MS : 300_000,
  };
}

/** Prints the counts of a long form, and stores them for the end of the battery's log. */
export function printCounts(
  { isLong, seed }: Battery,
  name: string,
  counts: Record<string, number | string>,
): void {
  if (!isLong) return;
  const facts = Object.entries(counts).map(([what, value]) => `${what} ${value}`);
  const line = `${name} (seed ${seed}): ${facts.join(", ")}\n`;
  process.stdout.write(line);
  const file = process.env.FAULTS_COUNTS;
  if (file) appendFileSync(file, line);
}

/** Numbers from 0 to 1 that a seed fixes (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
