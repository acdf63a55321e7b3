import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileLines, createJournal } from "#integrations/objects/journal.ts";
import { figure, info, percentile, report, spread } from "./support/figures.ts";

/** Measures what a promise costs before it leaves: one line that survives a power failure, and reading it again. */
const PROMISES = 2_000;
const LIMIT_MS = 2;

const folder = await mkdtemp(join(tmpdir(), "dockside-promises-"));
try {
  const journal = createJournal(createFileLines(join(folder, "journal")));
  const appends = await time(PROMISES, (at) =>
    journal.append({ at: new Date(at).toISOString(), kind: "purchase", realm: "1", po: `8000${at}` }),
  );
  const fold = { begin: () => ({ count: 0 }), note: (state: { count: number }) => void (state.count += 1) };
  const [first = 0] = await time(1, () => journal.read(fold));
  const reads = await time(200, async (at) => {
    await journal.append({ at });
    await journal.read(fold);
  });
  report("Promises in the journal", [
    figure("one promise, half of them", percentile(appends, 0.5), { most: LIMIT_MS, unit: "ms" }),
    info("one promise, p50 / p95 / p99", spread(appends)),
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
