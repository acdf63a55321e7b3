import { availableParallelism, loadavg } from "node:os";

/** One line of a measurement: name, target (null if only informative), and the measured value. */
export type Figure = { name: string; target: string | null; measured: string; holds: boolean };

type Bound = { most: number } | { least: number };

/** Compares a measured number with its limit. @param unit printed after both numbers */
export function figure(name: string, value: number, bound: Bound & { unit: string }): Figure {
  const { unit } = bound;
  const holds = "most" in bound ? value <= bound.most : value >= bound.least;
  const target = "most" in bound ? `≤ ${bound.most} ${unit}` : `≥ ${bound.least} ${unit}`;
  return { name, target, measured: `${round(value)} ${unit}`, holds };
}

/** A number without a target. */
export function info(name: string, measured: string): Figure {
  return { name, target: null, measured, holds: true };
}

/** Prints the table and sets exit code 1 if a target is missed. */
export function report(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  console.log(`\n${title}`);
  // On a busy machine, times mostly show the other work: its share is printed with them.
  console.log(
    `Machine: ${availableParallelism()} cores, ${round(loadavg()[0] ?? 0)} busy in the last minute.`,
  );
  for (const { name, target, measured, holds } of figures) {
    const verdict = target === null ? "" : `${target.padEnd(12)} ${holds ? "yes" : "MISSED"}`;
    console.log(`  ${name.padEnd(width)}  ${measured.padStart(16)}   ${verdict}`.trimEnd());
  }
  const missed = figures.filter(({ holds }) => !holds).length;
  console.log(missed === 0 ? "All targets met." : `${missed} targets missed.`);
  if (missed > 0) process.exitCode = 1;
}

/** Value below which a share of the values lies. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Formats "p50 / p95 / p99" of times in milliseconds. */
export function spread(values: readonly number[]): string {
  return `${[0.5, 0.95, 0.99].map((share) => round(percentile(values, share))).join(" / ")} ms`;
}

export const round = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0));
