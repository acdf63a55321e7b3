import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { TestRunner } from "vitest";

type File = Parameters<TestRunner["onAfterRunFiles"]>[0][number];

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Runs tests as Vitest does, and notes the CPU seconds of each file in the file that LEDGER names: those of this process,
 * its threads and the children that ended. PostgreSQL is shared by all files and is not among them.
 */
export default class LedgerRunner extends TestRunner {
  #startedAt = 0;

  onBeforeCollect(): void {
    this.#startedAt = cpuSeconds();
  }

  override onAfterRunFiles(files: File[]): void {
    super.onAfterRunFiles(files);
    const { LEDGER } = process.env;
    if (!LEDGER) return;
    const seconds = Math.round((cpuSeconds() - this.#startedAt) * 100) / 100;
    for (const { filepath } of files)
      appendFileSync(LEDGER, `${JSON.stringify([relative(process.cwd(), filepath), seconds])}\n`);
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildrenSeconds();
}

function endedChildrenSeconds(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The program's name, in parentheses, can contain spaces. The fields after it start with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
