import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, conflict } from "#platform/errors.ts";
import {
  allowEqual,
  confirmCheck,
  findOldChecks,
  recheckCorrected,
  removeCheck,
  type SeenCheck,
} from "#features/invoices/check/store.ts";
import type { CallCtx, InvoicesCtx } from "#features/invoices/ctx.ts";
import { addPostUpload } from "#features/invoices/runs.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import {
  findUpload,
  isConfirmed,
  raiseListVersion,
  type Upload,
  type UploadId,
} from "#features/invoices/ledger/store.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import { isField } from "#features/invoices/results/sentences-problems.ts";
import { findRowsOfInvoices } from "#features/invoices/check/store-invoices.ts";
import { type Corrected, type Correction, leaveOut, leftOutRows } from "#formats/table/corrections.ts";
import { CHECK_KEPT_MS } from "#features/invoices/limits.ts";
import { noCheck } from "#features/invoices/check/read-check.ts";

/** E-mail of the requesting user. */
export type Requester = { requestedBy: string };

/**
 * Queues the posting of a check as the user saw it. Repeated and concurrent calls are harmless.
 * @throws AppError 404 for an unknown check; 409 while it is unfinished, or if its result has changed
 */
export async function postCheck(ctx: Ctx & Audited, seen: SeenCheck & Requester): Promise<void> {
  const upload = await findSeen(ctx.db, seen);
  if (isConfirmed(upload)) return;
  if (upload.check?.report?.ready.invoices === 0) {
    throw conflict(
      "nothing_to_post",
      "No invoice of this file can be posted. Correct its problems and check it again.",
    );
  }
  const unfinished = conflict("not_checked", "The check isn't finished yet. Wait until it is, then post.");
  if (upload.state !== "checked") throw unfinished;
  const confirm = async (tx: Db) => {
    if (!(await confirmCheck(tx, seen, ctx.clock.now()))) {
      // Another request may have queued it since the check was read.
      if (isConfirmed(await findSeen(tx, seen))) return;
      throw unfinished;
    }
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    await ctx.audit(tx, { action: "check.post", ids: { upload: seen.id } });
  };
  await ctx.db.transaction().execute((tx) => withSummary(tx, seen, () => confirm(tx)));
}

/**
 * Repeats a finished check and allows the invoices it left out because other files had equal ones. Posts
 * nothing, so that the user sees first what would be posted.
 * @throws AppError 404 for an unknown check; 409 while it is unfinished, if its result has changed, or once
 * it is queued for posting
 */
export async function allowDuplicates(ctx: CallCtx, seen: SeenCheck & Requester): Promise<void> {
  const recheck = async (tx: Db) => {
    await findSeen(tx, seen);
    if (!(await allowEqual(tx, seen))) {
      throw conflict("not_checked", "The check isn't finished yet, or was posted. Reload the page.");
    }
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    await ctx.audit(tx, { action: "check.add_equal", ids: { upload: seen.id } });
  };
  await ctx.db.transaction().execute((tx) => withSummary(tx, seen, () => recheck(tx)));
}

type Changes = {
  cells: readonly Correction[];
  /** Identified by one of its rows, and whether it is to be left out. */
  invoices: readonly { row: number; is_left_out: boolean }[];
  mode?: UploadMode | undefined;
};

/**
 * Repeats a finished or stopped check of the stored file with cells that a user corrected, without invoices that a user
 * left out, or in another mode. Corrections override the file, which stays unchanged and is the same file to
 * later uploads.
 * @throws AppError 400 for a field that invoices do not have; 404 for an unknown check; 409 while it is
 * unfinished, if its result has changed, or once it is queued for posting
 */
export async function checkAgain(
  ctx: CallCtx,
  seen: SeenCheck & Requester,
  { cells, invoices, mode }: Changes,
): Promise<void> {
  const unknown = cells.find(({ field }) => !isField(field));
  if (unknown)
    throw badRequest("field_unknown", `Invoices have no field "${unknown.field}". Reload the page.`);
  const recheck = async (tx: Db) => {
    const before = await findSeen(tx, seen);
    const { check } = before;
    const kept = await leaveOutOrKeep(tx, seen, { before: check.corrections, invoices });
    const corrections = merge(kept, cells);
    if (!(await recheckCorrected(tx, seen, { before: check.corrections, corrections, mode })))
      throw conflict("not_checked", "The check isn't finished yet, or was posted. Reload the page.");
    if (isConfirmed(before)) await raiseListVersion(tx, seen.realmId, -1);
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    const after = mode ? { cells, invoices, mode } : { cells, invoices };
    await ctx.audit(tx, { action: "check.again", ids: { upload: seen.id }, after });
  };
  await ctx.db.transaction().execute((tx) => withSummary(tx, seen, () => recheck(tx)));
}

/**
 * Leaves out invoices with all their rows, or puts them back. One that is left out already stays so.
 * @throws AppError 400 if no invoice of the check has the row
 */
async function leaveOutOrKeep(
  tx: Db,
  check: UploadId,
  { before, invoices }: { before: readonly Corrected[]; invoices: Changes["invoices"] },
): Promise<Corrected[]> {
  const back = invoices.filter(({ is_left_out }) => !is_left_out);
  const kept = before.filter((all) => {
    const rows = leftOutRows([all]);
    return !back.some(({ row }) => rows.includes(row));
  });
  const leftBefore = new Set(leftOutRows(before));
  const asked = invoices.flatMap(({ row, is_left_out }) =>
    is_left_out && !leftBefore.has(row) ? [row] : [],
  );
  if (asked.length === 0) return kept;
  const left = await findRowsOfInvoices(tx, check, asked);
  const found = new Set(left.flatMap(({ rows }) => rows));
  const unknown = asked.find((row) => !found.has(row));
  if (unknown !== undefined)
    throw badRequest("row_unknown", `Row ${unknown} isn't in any invoice of this check. Reload the page.`);
  return [...kept, ...left.map(({ rows, ...record }) => leaveOut(rows, record))];
}

/**
 * Merges corrections: the latest value of each cell wins, and one that equals the file's own value is
 * dropped.
 */
function merge(before: readonly Corrected[], cells: readonly Correction[]): Corrected[] {
  const merged = new Map(before.map((cell) => [cellKey(cell), cell]));
  for (const cell of cells) {
    const was = merged.get(cellKey(cell))?.was;
    if (was === cell.value) merged.delete(cellKey(cell));
    else merged.set(cellKey(cell), { ...cell, was: was ?? "" });
  }
  return [...merged.values()].toSorted((a, b) => a.row - b.row || (a.field < b.field ? -1 : 1));
}

const cellKey = ({ row, field }: Correction) => `${row} ${field}`;

/** @throws AppError 404 for an unknown check; 409 if it has changed since the user saw it */
async function findSeen(
  db: Db,
  { realmId, id, revision }: SeenCheck,
): Promise<Upload & { check: NonNullable<Upload["check"]> }> {
  const upload = await findUpload(db, realmId, id);
  if (!upload?.check) throw noCheck();
  if (upload.check.revision === revision) return { ...upload, check: upload.check };
  throw conflict(
    "check_changed",
    "The check has run again since you opened it, so its results may have changed. Review it again, then post.",
  );
}

/** Removes a check that was not posted, and its file. */
export async function dropCheck(ctx: CallCtx, realmId: string, uploadId: string): Promise<void> {
  const key = await ctx.db.transaction().execute(async (tx) => {
    const removed = await removeCheck(tx, { realmId, id: uploadId }, ["checking", "review", "confirmed"]);
    if (removed) await ctx.audit(tx, { action: "check.drop", ids: { upload: uploadId } });
    return removed;
  });
  if (!key) throw noCheck();
  await ctx.objects.remove(key);
}

/** Removes old checks that were neither posted nor dropped, with their files; keeps those being worked on. */
export async function removeOldChecks(ctx: InvoicesCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - CHECK_KEPT_MS);
  for (const check of await findOldChecks(ctx.db, before))
    await ctx.db.transaction().execute(async (tx) => {
      const key = await removeCheck(tx, check, ["checking", "review"]);
      // Before the row's removal is certain: a file without a row would stay forever, but a row without its
      // file is removed next time.
      if (key) await ctx.objects.remove(key);
    });
}
