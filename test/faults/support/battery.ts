/** How a battery runs: in its short form with all tests, or in its long form by `npm run faults`. */
export type Battery = { isLong: boolean; seed: number; times: number; timeout: number };

/** Long forms wait for a vendor most of the time, and on a busy machine for their turn too. */
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

/** Prints what a long form counted. */
export function printCounts(
  { isLong, seed }: Battery,
  name: string,
  counts: Record<string, number | string>,
): void {
  if (!isLong) return;
  const facts = Object.entries(counts).map(([what, value]) => `${what} ${value}`);
  process.stdout.write(`${name} (seed ${seed}): ${facts.join(", ")}\n`);
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
