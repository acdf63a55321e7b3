import { open, rm, stat } from "node:fs/promises";
import { storageFailure } from "#integrations/objects/receive-file.ts";

/** A way to keep a journal's lines. Lines of other folds come along, and are left alone. */
export type Fold<T> = { begin(): T; note(state: T, line: unknown): void };

type Kept<T> = { state: T; readUpTo: number };

/**
 * Opens an append-only file of lines outside the database, which outlives a restore of the database: what was promised to
 * others is written here before it leaves. Several processes may append.
 */
export function createJournal(path: string) {
  const kept = new Map<Fold<unknown>, Kept<unknown>>();
  let last: Promise<unknown> = Promise.resolve();

  const readOn = async <T>(fold: Fold<T>): Promise<T> => {
    const size = await findSize(path);
    let known = kept.get(fold) as Kept<T> | undefined;
    // The demo was reset.
    if (!known || known.readUpTo > size) known = { state: fold.begin(), readUpTo: 0 };
    kept.set(fold as Fold<unknown>, known);
    const text = await readFrom(path, { from: known.readUpTo, to: size });
    // An incomplete line is read once it is complete.
    const ended = text.subarray(0, text.lastIndexOf("\n") + 1);
    known.readUpTo += ended.length;
    for (const line of parseLines(ended.toString())) fold.note(known.state, line);
    return known.state;
  };
  return {
    /** Folds all complete lines, each once; skips lines truncated by a crash. */
    read: <T>(fold: Fold<T>): Promise<T> => {
      const reading = last.then(() => readOn(fold));
      last = reading.catch(() => undefined);
      return reading;
    },
    /**
     * Appends lines, which survive a power failure once this returns. @throws AppError 503 if the disk is
     * full
     */
    append: async (...lines: readonly object[]): Promise<void> => {
      if (lines.length === 0) return;
      try {
        // The leading line break separates them from a line truncated by a crash.
        await appendText(path, `\n${lines.map((line) => `${JSON.stringify(line)}\n`).join("")}`);
      } catch (error) {
        throw storageFailure(error);
      }
    },
    /** Deletes all lines; for the demo only. */
    clear: async (): Promise<void> => {
      await rm(path, { force: true });
      kept.clear();
    },
  };
}

export type Journal = ReturnType<typeof createJournal>;

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
