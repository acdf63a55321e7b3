import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileLines, createJournal } from "#integrations/objects/journal.ts";
import { figure, info, percentile, report, spread } from "./support/figures.ts";

/**
 * Measures what a promise costs before it leaves: one line that survives a power failure, and reading it again. The same line is
 * written without the journal in turn, which shows what the disk alone costs.
 */
const PROMISES = 2_000;
const LIMIT_MS = 2;

const folder = await mkdtemp(join(tmpdir(), "dockside-promises-"));
try {
  const journal = createJournal(createFileLines(join(folder, "journal")));
  const bare = openSync(join(folder, "bare"), "a");
  const disk: number[] = [];
  const appends: number[] = [];
  for (let at = 0; at < PROMISES; at += 1) {
    const promise = { at: new Date(at).toISOString(), kind: "purchase", realm: "1", po: `8000${at}` };
    appends.push(...(await time(1, () => journal.append(promise))));
    const written = await time(1, () => {
      writeSync(bare, `${JSON.stringify(promise)}\n`);
      fdatasyncSync(bare);
      return Promise.resolve();
    });
    disk.push(...written);
  }
  closeSync(bare);
  const fold = { begin: () => ({ count: 0 }), note: (state: { count: number }) => void (state.count += 1) };
  const [first = 0] = await time(1, () => journal.read(fold));
  const reads = await time(200, async (at) => {
    await journal.append({ at });
    await journal.read(fold);
  });
  report("Promises in the journal", [
    figure("one promise, p95", percentile(appends, 0.95), { most: LIMIT_MS, unit: "ms" }),
    info("  p50 / p95 / p99", spread(appends)),
    info("  a line written and synced alone", spread(disk)),
    info("  p95, ratio", `${(percentile(appends, 0.95) / percentile(disk, 0.95)).toFixed(2)} ×`),
    info(`reading ${PROMISES} of them at a start`, `${first.toFixed(1)} ms`),
    info("a promise, and reading what is new", spread(reads)),
  ]);
} finally {
  await rm(folder, { recursive: true });
}

async function time(times: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const began = performance.now();
    await work(at);
    took.push(performance.now() - began);
  }
  return took;
}
