import { open, rm, stat } from "node:fs/promises";
import { storageFailure } from "#integrations/objects/receive-file.ts";

/** Reduces a journal's lines to a state. It gets the lines of other folds too, and ignores them. */
export type Fold<T> = { begin(): T; note(state: T, line: unknown): void };

/** Where the lines of a journal are kept. */
export type Lines = {
  /**
   * Reads the complete lines after a position, which is 0 or the `next` of an earlier answer.
   * @returns `from` is 0 if they were cleared since
   */
  readOn(from: number): Promise<{ from: number; text: string; next: number }>;
  /** Adds text of whole lines, which survives a power failure once this returns. @throws AppError 503 or 507 */
  append(text: string): Promise<void>;
  /** Deletes all; for the demo only. */
  clear(): Promise<void>;
};

type Kept<T> = { state: T; readUpTo: number };

/**
 * A journal of lines outside the database, which outlives a restore of the database: what was promised to others is written here
 * before it leaves. Several processes may append.
 */
export function createJournal(lines: Lines) {
  const kept = new Map<Fold<unknown>, Kept<unknown>>();
  let last: Promise<unknown> = Promise.resolve();

  const readOn = async <T>(fold: Fold<T>): Promise<T> => {
    let known = kept.get(fold) as Kept<T> | undefined;
    const { from, text, next } = await lines.readOn(known?.readUpTo ?? 0);
    // The demo was reset.
    if (!known || from !== known.readUpTo) known = { state: fold.begin(), readUpTo: 0 };
    kept.set(fold as Fold<unknown>, known);
    for (const line of parseLines(text)) fold.note(known.state, line);
    known.readUpTo = next;
    return known.state;
  };
  return {
    /** Folds all complete lines, each once; skips lines truncated by a crash. */
    read: <T>(fold: Fold<T>): Promise<T> => {
      const reading = last.then(() => readOn(fold));
      last = reading.catch(() => undefined);
      return reading;
    },
    /** Adds lines. @throws AppError 503 or 507 if they can't be kept */
    append: async (...added: readonly object[]): Promise<void> => {
      if (added.length > 0) await lines.append(added.map((line) => `${JSON.stringify(line)}\n`).join(""));
    },
    /** All lines as they are kept, for a backup. */
    readText: async (): Promise<string> => (await lines.readOn(0)).text,
    /** Adds the lines of a backup that aren't here. */
    addMissing: async (text: string): Promise<void> => {
      const known = new Set((await lines.readOn(0)).text.split("\n"));
      const missing = text.split("\n").filter((line) => !known.has(line));
      if (missing.length > 0) await lines.append(`${missing.join("\n")}\n`);
    },
    clear: async (): Promise<void> => {
      await lines.clear();
      kept.clear();
    },
  };
}

export type Journal = ReturnType<typeof createJournal>;

/** Keeps lines in a file of this machine. */
export const createFileLines = (path: string): Lines => ({
  readOn: async (from) => {
    const size = await findSize(path);
    const begin = from > size ? 0 : from;
    const text = await readFrom(path, { from: begin, to: size });
    // An incomplete line is read once it is complete.
    const ended = text.subarray(0, text.lastIndexOf("\n") + 1);
    return { from: begin, text: ended.toString(), next: begin + ended.length };
  },
  append: async (text) => {
    try {
      // The leading line break separates them from a line truncated by a crash.
      await appendText(path, `\n${text}`);
    } catch (error) {
      throw storageFailure(error);
    }
  },
  clear: () => rm(path, { force: true }),
});

async function appendText(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function findSize(path: string): Promise<number> {
  return (await stat(path).catch(ignoreMissing))?.size ?? 0;
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

async function readFrom(path: string, { from, to }: { from: number; to: number }): Promise<Buffer> {
  if (from === to) return Buffer.alloc(0);
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
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
