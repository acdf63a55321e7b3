import { open, rm } from "node:fs/promises";
import { storageFailure } from "#integrations/objects/receive-file.ts";

/**
 * Opens an append-only file of lines outside the database, which outlives a restore of the database. Several
 * processes may append.
 */
export async function createJournal(path: string) {
  let known: unknown[] = [];
  let readUpTo = 0;
  let last: Promise<unknown> = Promise.resolve();

  const readOn = async (): Promise<readonly unknown[]> => {
    const text = await readFrom(path, readUpTo);
    // An incomplete line is read once it is complete.
    const ended = text.subarray(0, text.lastIndexOf("\n") + 1);
    readUpTo += ended.length;
    for (const line of parseLines(ended.toString())) known.push(line);
    return known;
  };
  const journal = {
    /** Reads all complete lines; skips lines truncated by a crash. */
    read: (): Promise<readonly unknown[]> => {
      const reading = last.then(readOn);
      last = reading.catch(() => undefined);
      return reading;
    },
    /**
     * Appends a line, which survives a power failure once this returns. @throws AppError 503 if the disk is
     * full
     */
    append: async (line: object): Promise<void> => {
      try {
        // The leading line break separates it from a line truncated by a crash.
        await appendLine(path, `\n${JSON.stringify(line)}\n`);
      } catch (error) {
        throw storageFailure(error);
      }
    },
    /** Deletes all lines; for the demo only. */
    clear: async (): Promise<void> => {
      await rm(path, { force: true });
      known = [];
      readUpTo = 0;
    },
  };
  await journal.read();
  return journal;
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

/** Reads a file starting at an offset; empty if there is no file. */
async function readFrom(path: string, from: number): Promise<Buffer> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (!file) return Buffer.alloc(0);
  try {
    const size = Math.max(0, (await file.stat()).size - from);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const parseLines = (text: string): unknown[] =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
