import { Readable } from "node:stream";
import { busyReply } from "#features/sheets/index.ts";
import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Db } from "#platform/db/connect.ts";
import { ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";
import { INLINE_LABELS, LABELS_AT_ONCE, MAX_SSCCS_PER_THREAD } from "#features/labels/limits.ts";
import { readExportJson } from "#features/labels/uploads/store.ts";
import { concat } from "#features/labels/uploads/documents.ts";
import { run as writeSsccs, SSCC_HEADERS } from "#features/labels/uploads/write-ssccs.ts";

const WRITING = new URL("./write-ssccs.ts", import.meta.url);

type Which = { realmId: string; uploadId: string | null };

/**
 * Writes every SSCC of a company, or of one upload, as CSV.
 * @throws AppError 503 when too much of the company waits for threads
 */
export async function exportSsccs(db: Db, of: Which): Promise<Readable> {
  const parts = writeParts(db, of);
  // A failure is answered as long as nothing was sent.
  const first = await parts.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* parts;
  };
  return Readable.from(all());
}

/** Writes the first few here, so that a short list needs no thread, and the others in threads. */
async function* writeParts(db: Db, of: Which): AsyncGenerator<string> {
  const { labels, last } = await readExportJson(db, { ...of, after: "", limit: INLINE_LABELS });
  let text = `${CSV_START}${csvLine(SSCC_HEADERS)}${writeSsccs(Buffer.from(labels))}`;
  for (let after = last; after !== null;) {
    const next = await writePart(db, of, after);
    yield text;
    text = next.text;
    after = next.last;
  }
  yield text;
}

/** Writes the SSCCs after one in a thread. @returns the last one, null at the end of the list */
async function writePart(db: Db, of: Which, after: string): Promise<{ text: string; last: string | null }> {
  const read = { last: after as string | null };
  const pages = async function* () {
    for (let count = 0; count < MAX_SSCCS_PER_THREAD && read.last !== null; count += LABELS_AT_ONCE) {
      const page = await readExportJson(db, { ...of, after: read.last, limit: LABELS_AT_ONCE });
      read.last = page.last;
      yield page.labels;
    }
  };
  try {
    const task = { bytes: () => concat(pages()), input: null, owner: of.realmId };
    return { text: await runInThread<string>(WRITING, task), last: read.last };
  } catch (error) {
    throw error instanceof ThreadsBusy ? busyReply(error) : error;
  }
}
