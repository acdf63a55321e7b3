import type { Limits } from "./limits.ts";
import { readWorkbook } from "./read-workbook.ts";
import { runInWorker, type WorkerBounds } from "./run-in-worker.ts";
import type { Workbook } from "./workbook.ts";

/**
 * Reads a workbook in a thread of its own; see `readWorkbook`. Copying all cells back costs about as much as reading
 * them: a caller that needs less runs its own function beside the reader with `runInWorker`.
 * @throws WorkbookRefused as `readWorkbook` does, and when the time or memory limit is reached
 */
export async function readWorkbookInWorker(
  bytes: Uint8Array,
  options: WorkerBounds & { limits?: Partial<Limits> },
): Promise<Workbook> {
  const { limits, ...bounds } = options;
  return runInWorker<Workbook>(new URL(import.meta.url), { bytes, input: limits }, bounds);
}

/** What the thread runs. */
export function run(bytes: Uint8Array, input: unknown): Workbook {
  return readWorkbook(bytes, (input ?? {}) as Partial<Limits>);
}
