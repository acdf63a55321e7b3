import { open, rm } from "node:fs/promises";
import { storageFailure } from "#integrations/objects/file-store.ts";

/**
 * A file of lines that is only ever added to, beside the database: what was written here is known although the database
 * is put back to an earlier day. Several processes may add to it.
 */
export async function createJournal(path: string) {
  let known: unknown[] = [];
  let readUpTo = 0;
  let last: Promise<unknown> = Promise.resolve();

  const readOn = async (): Promise<readonly unknown[]> => {
    const text = await readFrom(path, readUpTo);
    // A line whose end is not there yet is read when it is.
    const ended = text.subarray(0, text.lastIndexOf("\n") + 1);
    readUpTo += ended.length;
    for (const line of linesOf(ended.toString())) known.push(line);
    return known;
  };
  const journal = {
    /** All lines that are there now. A line that a crash cut is not among them. */
    read: (): Promise<readonly unknown[]> => {
      const reading = last.then(readOn);
      last = reading.catch(() => undefined);
      return reading;
    },
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

/** What is behind the first bytes of a file; nothing when there is no file. */
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

const linesOf = (text: string): unknown[] =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
