import { sql } from "kysely";
import type { Uploader } from "#features/invoices/ledger/store.ts";
import { addUpload, findUpload, isPlanned } from "#features/invoices/ledger/store.ts";
import type { EntryState, InvoicesTables } from "#features/invoices/ledger/tables.ts";
import { findLatestUndo } from "#features/invoices/ledger/store-undos.ts";
import type { CallCtx } from "#features/invoices/ctx.ts";
import { unplannedSummary } from "#features/invoices/results/refresh-summary.ts";
import { problemSentence } from "#features/invoices/results/sentences-problems.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { createSentence } from "#features/invoices/results/sentences-writes.ts";
import { addPostUpload } from "#features/invoices/runs.ts";
import type { Db } from "#platform/db/connect.ts";

type Prepared = {
  realmId: string;
  id: string;
  fileName: string;
  bytes: Buffer;
  dataRows: number;
  uploadedBy: Uploader;
};

/**
 * Stores the bytes of a sheet that the product wrote itself; nothing needs them until `addPrepared` added their upload.
 * @throws AppError 413 if the company has no space
 */
export async function keepPrepared(
  ctx: CallCtx,
  { realmId, id, bytes }: Pick<Prepared, "realmId" | "id" | "bytes">,
): Promise<{ objectKey: string; sizeBytes: number; sha256: string }> {
  await ctx.quotas.requireSpace(realmId, "workbooks", bytes.length);
  const received = await ctx.objects.receive(inOnePiece(bytes));
  try {
    const objectKey = `uploads/${id}.csv`;
    await received.keep(objectKey);
    return { objectKey, sizeBytes: received.sizeBytes, sha256: received.sha256 };
  } finally {
    await received.drop();
  }
}

/** A file is received as a stream. */
async function* inOnePiece(bytes: Buffer) {
  yield await Promise.resolve(bytes);
}

/** Adds an upload of a sheet that the product wrote itself: it is planned and posted as any other, by the same ledger and writes. */
export async function addPrepared(
  ctx: CallCtx,
  tx: Db,
  { file, ...upload }: Omit<Prepared, "bytes"> & { file: Awaited<ReturnType<typeof keepPrepared>> },
): Promise<void> {
  const { realmId, id, dataRows, fileName, uploadedBy } = upload;
  const summary = unplannedSummary({ dataRows, state: "queued", cause: null });
  const uploadedAt = ctx.clock.now();
  const kind = { mode: "invoice", stage: "confirmed", source: "orders", fixes: null } as const;
  await addUpload(tx, { ...upload, ...file, ...kind, uploadedAt, summary });
  await addPostUpload(ctx, tx, { realmId, uploadId: id, requestedBy: uploadedBy.name });
  await ctx.audit(tx, {
    action: "invoices.upload",
    ids: { upload: id },
    after: { file: fileName, mode: "invoice" },
  });
}

/** Whether an undo of an upload is under way. */
export async function isUndoOpen(db: Db, realmId: string, uploadId: string): Promise<boolean> {
  const undo = await findLatestUndo(db, { realmId, id: uploadId });
  return undo !== null && undo.state !== "finished" && undo.state !== "stopped";
}

/** The outcome of an invoice of a sheet, by the row that it begins in. */
export type PreparedOutcome = {
  uploadId: string;
  /** Null if it is the outcome of all invoices: the upload ended before it was planned. */
  row: number | null;
  state: EntryState;
  qboId: string | null;
  /** Why it was not posted, in one sentence; empty otherwise. */
  problem: string;
};

/** Finds what became of invoices of sheets that the product wrote. One that is still to be planned has no outcome. */
export async function findPreparedOutcomes(
  db: Db,
  realmId: string,
  uploadIds: readonly string[],
): Promise<PreparedOutcome[]> {
  if (uploadIds.length === 0) return [];
  const rows = await db
    .withTables<InvoicesTables>()
    .selectFrom("ledger_entry")
    .select(["upload_id", "row_numbers", "state", "qbo_id", "cause", "problems", "doc_number"])
    .select(sql<string | null>`draft ->> 'TxnDate'`.as("txn_date"))
    .where("realm_id", "=", realmId)
    .where("upload_id", "in", [...uploadIds])
    .execute();
  const planned = rows.map(
    ({ upload_id: uploadId, row_numbers: [row = 0], state, qbo_id: qboId, ...entry }) => {
      const said = { docNumber: entry.doc_number, txnDate: entry.txn_date };
      const errors = entry.problems.filter(({ severity }) => severity === "error");
      const problem = entry.cause
        ? createSentence(entry.cause, said)
        : errors.map((error) => problemSentence(error)).join(" ");
      return { uploadId, row, state, qboId, problem: state === "posted" ? "" : problem };
    },
  );
  const ended: PreparedOutcome[] = [];
  for (const uploadId of uploadIds.filter((id) => !planned.some((outcome) => outcome.uploadId === id))) {
    const upload = await findUpload(db, realmId, uploadId);
    if (upload?.state !== "stopped" || !upload.cause || isPlanned(upload)) continue;
    const problem = uploadCauseSentence(upload.cause, uploadId);
    ended.push({ uploadId, row: null, state: "stopped", qboId: null, problem });
  }
  return [...planned, ...ended];
}
