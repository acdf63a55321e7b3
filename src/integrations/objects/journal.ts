import { open, readFile, rm } from "node:fs/promises";
import { storageFailure } from "#integrations/objects/file-store.ts";

/**
 * A file of lines that is only ever added to, beside the database: what was written here is known although the database
 * is put back to an earlier day.
 */
export async function createJournal(path: string) {
  let known = await readLines(path);
  return {
    /** Lines from before this process began. A line that a crash cut is not among them. */
    known: (): readonly unknown[] => known,
    /** Adds a line; once this returns it survives a power cut. @throws AppError 503 when the disk is full */
    append: async (line: object): Promise<void> => {
      try {
        // Behind a line that was cut it is a line of its own all the same.
        await appendLine(path, `\n${JSON.stringify(line)}\n`);
      } catch (error) {
        throw storageFailure(error);
      }
    },
    /** Forgets everything; for the demo alone. */
    clear: async (): Promise<void> => {
      known = [];
      await rm(path, { force: true });
    },
  };
}

export type Journal = Awaited<ReturnType<typeof createJournal>>;

async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(line);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readLines(path: string): Promise<unknown[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
