import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { busyReply } from "#features/sheets/index.ts";
import type { ResolutionName } from "#formats/label/drawing.ts";
import { storageFailure } from "#integrations/objects/receive-file.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import { ThreadError, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";
import { createTurns } from "#platform/threads/take-turn.ts";
import type { Paper, PrintFormat, PrintOrder } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { BarcodeUnreadable } from "#features/labels/layout/symbols.ts";
import {
  DOCUMENT_THREAD_LIMITS,
  DOCUMENT_CONCURRENCY,
  INLINE_LABELS,
  LABELS_AT_ONCE,
} from "#features/labels/limits.ts";
import type { LabelRange, LabelUpload, UploadId } from "#features/labels/types.ts";
import { LabelTooHigh, renderDocument, type DocumentForm } from "#features/labels/uploads/render.ts";
import * as store from "#features/labels/uploads/store.ts";

/** Labels to print, and the form of their document. */
export type Printing = {
  id: UploadId;
  upload: LabelUpload;
  ranges: readonly LabelRange[];
  format: PrintFormat;
  resolution: ResolutionName;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
};

const takeTurn = createTurns(DOCUMENT_CONCURRENCY);
const RENDERING = new URL("./render.ts", import.meta.url);

/**
 * Writes a document: small ones here, others in a thread. The same labels in the same form are the same bytes, so large
 * documents are kept for a while. Every barcode is decoded before this returns.
 * @throws AppError 500 when a barcode cannot be read back, 503 while too many documents of the company are waiting
 */
export async function writeDocument(
  { db, documents }: Pick<LabelsCtx, "db" | "documents">,
  printing: Printing,
): Promise<Buffer | Readable> {
  const { format, paper, resolution, order, separators, upload, ranges } = printing;
  const { id, fileName, profile, shipFroms } = upload;
  const form = { format, paper, resolution, order, separators, upload: { id, fileName, profile, shipFroms } };
  try {
    if (countLabels(ranges) <= INLINE_LABELS)
      return await concat(renderDocument(await concat(readLines(db, printing)), form));
    const name = nameDocument(printing);
    const file =
      (await documents.find(name)) ?? (await renderInTurn({ db, documents }, printing, { name, form }));
    return file.createReadStream();
  } catch (error) {
    throw toReply(error);
  }
}

/** Renders a document in a thread, unless a call before it in the company's line rendered the same one. */
async function renderInTurn(
  { db, documents }: Pick<LabelsCtx, "db" | "documents">,
  printing: Printing,
  { name, form }: { name: string; form: DocumentForm },
): Promise<FileHandle> {
  const owner = printing.id.realmId;
  const endTurn = await takeTurn(owner);
  try {
    const kept = await documents.find(name);
    if (kept) return kept;
    const bytes = () => concat(readLines(db, printing));
    return await documents.add(name, (path) =>
      runInThread<void>(RENDERING, { bytes, input: { path, ...form }, owner }, DOCUMENT_THREAD_LIMITS),
    );
  } finally {
    endTurn();
  }
}

/** Names a document by all that its bytes depend on: the labels and profile of an upload never change. */
function nameDocument({ id, ranges, format, paper, resolution, order, separators }: Printing): string {
  const facts = JSON.stringify({ id, ranges, format, paper, resolution, order, separators });
  return createHash("sha256").update(facts).digest("hex");
}

export const countLabels = (ranges: readonly LabelRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** Reads labels in the order of their places, as lines of JSON lists. */
async function* readLines(db: Db, { id, ranges }: Printing): AsyncGenerator<string> {
  let seqs: number[] = [];
  for (const { first, last } of ranges)
    for (let seq = first; seq <= last; seq += 1) {
      seqs.push(seq);
      if (seqs.length < LABELS_AT_ONCE) continue;
      yield `${await store.readLabelsJson(db, id, seqs)}\n`;
      seqs = [];
    }
  if (seqs.length > 0) yield `${await store.readLabelsJson(db, id, seqs)}\n`;
}

export async function concat(pieces: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

function toReply(error: unknown): unknown {
  if (error instanceof ThreadsBusy) return busyReply(error);
  const isThrown = ({ name }: { name: string }) => error instanceof ThreadError && error.thrown === name;
  if (error instanceof BarcodeUnreadable || isThrown(BarcodeUnreadable))
    return new AppError({
      status: 500,
      code: "barcode_unreadable",
      detail: "We couldn't read back a barcode on these labels, so we didn't print them. Contact us.",
      cause: error,
    });
  if (error instanceof LabelTooHigh || isThrown(LabelTooHigh)) {
    const { seq, zone, overMm } = (error as LabelTooHigh).params;
    return badRequest(
      "label_too_high",
      `Label ${seq} has no room on a quarter of a Letter sheet: its zone ${zone} needs ${overMm.toFixed(1)} mm more. Choose another paper.`,
    );
  }
  return storageFailure(error);
}
