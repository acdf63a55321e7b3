import { FileRefused } from "#formats/facts.ts";
import { readInThread } from "#features/sheets/index.ts";

/** Modules that run in threads when a workbook is uploaded. */
const MODULES = [
  new URL("../workbook/inspect-workbook.ts", import.meta.url),
  new URL("./plan-workbook.ts", import.meta.url),
];

/**
 * Runs each thread's module once on an invalid file, so that it is compiled before the first user's workbook.
 * Harmless at any time.
 */
export async function prepareThreads(): Promise<void> {
  for (const module of MODULES) {
    try {
      await readInThread(module, {
        bytes: new Uint8Array(),
        input: {},
        owner: "start",
      });
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
    }
  }
}
