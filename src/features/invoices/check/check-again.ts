import { createHash } from "node:crypto";
import { findSeen, type Requester } from "#features/invoices/check/read-check.ts";
import { recheckCorrected, type SeenCheck } from "#features/invoices/check/store.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import type { CallCtx } from "#features/invoices/ctx.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { isField } from "#features/invoices/results/rules-sentences.ts";
import { findRowsOfInvoices } from "#features/invoices/check/store-invoices.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { type Corrected, type Correction, leaveOut, leftOutRows } from "#formats/table/corrections.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, conflict } from "#platform/errors.ts";

type Changes = {
  cells: readonly Correction[];
  /** By one of its rows, and whether it is left out from now on. */
  invoices: readonly { row: number; is_left_out: boolean }[];
  mode?: UploadMode | undefined;
};

/**
 * Makes a finished check of the stored file once more, with cells that a user corrected, without invoices that a user left
 * out, or in another mode. Corrections count instead of the file, which stays as it came, and are part of what counts as
 * the same file.
 * @throws AppError 400 for a field that invoices do not have; 404 when there is no such check; 409 while it is not
 * finished, once it says something else, or once it is asked to be posted
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
    const { check } = await findSeen(tx, seen);
    const kept = await leaveOutOrKeep(tx, seen, { before: check.corrections, invoices });
    const corrections = merge(kept, cells);
    const sha256 = identityOf(check.fileSha256, corrections);
    if (!(await recheckCorrected(tx, seen, { before: check.corrections, corrections, sha256, mode })))
      throw conflict("not_checked", "The check isn't finished yet, or was posted. Reload the page.");
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    const after = mode ? { cells, invoices, mode } : { cells, invoices };
    await ctx.audit(tx, { action: "check.again", ids: { upload: seen.id }, after });
  };
  await ctx.db.transaction().execute((tx) => withSummary(tx, seen, () => recheck(tx)));
}

/**
 * Leaves invoices out with all their rows, or takes them back in.
 * @throws AppError 400 when no invoice of the check has the row
 */
async function leaveOutOrKeep(
  tx: Db,
  check: UploadId,
  { before, invoices }: { before: readonly Corrected[]; invoices: Changes["invoices"] },
): Promise<Corrected[]> {
  const isAsked = (rows: readonly number[]) => invoices.some(({ row }) => rows.includes(row));
  const kept = before.filter((all) => !isAsked(leftOutRows([all])));
  const asked = invoices.flatMap(({ row, is_left_out }) => (is_left_out ? [row] : []));
  if (asked.length === 0) return kept;
  const left = await findRowsOfInvoices(tx, check, asked);
  const found = new Set(left.flat());
  const unknown = asked.find((row) => !found.has(row));
  if (unknown !== undefined)
    throw badRequest("row_unknown", `Row ${unknown} is in no invoice of this check. Reload the page.`);
  return [...kept, ...left.map((rows) => leaveOut(rows))];
}

/** The latest value of each cell counts; one that is what the file has is no correction. */
function merge(before: readonly Corrected[], cells: readonly Correction[]): Corrected[] {
  const merged = new Map(before.map((cell) => [keyOf(cell), cell]));
  for (const cell of cells) {
    const was = merged.get(keyOf(cell))?.was;
    if (was === cell.value) merged.delete(keyOf(cell));
    else merged.set(keyOf(cell), { ...cell, was: was ?? "" });
  }
  return [...merged.values()].toSorted((a, b) => a.row - b.row || (a.field < b.field ? -1 : 1));
}

const keyOf = ({ row, field }: Correction) => `${row} ${field}`;

function identityOf(fileSha256: string, corrections: readonly Correction[]): string {
  if (corrections.length === 0) return fileSha256;
  const values = corrections.map(({ row, field, value }) => [row, field, value]);
  return createHash("sha256").update(fileSha256).update(JSON.stringify(values)).digest("hex");
}
