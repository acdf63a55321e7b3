import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict, notFound } from "#platform/errors.ts";
import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { changeSentence, toCorrections, toReport } from "#features/invoices/check/sentences.ts";
import { removeCheck, requeueCheck, type SeenCheck } from "#features/invoices/check/store.ts";
import type { CallCtx, InvoicesCtx } from "#features/invoices/ctx.ts";
import { addPostUpload } from "#features/invoices/jobs.ts";
import { toSummary } from "#features/invoices/results/list-uploads.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { findUpload, type Upload } from "#features/invoices/ledger/store.ts";

export const noCheck = () => notFound("This company has no such check. Check the file again.");

/** Who asks. */
export type Requester = { requestedBy: string };

/** What a check found. @throws AppError 404 when the company has no such check */
export async function readCheck(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<UploadCheck> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload?.check) throw noCheck();
  const { revision, report, changes, corrections } = upload.check;
  const { counts: _rows, invoices: _invoices, ...summary } = toSummary(ctx, upload);
  return {
    ...summary,
    state: stateOf(upload),
    reason: upload.cause ? uploadCauseSentence(upload.cause, upload.id) : "",
    mode: upload.mode,
    revision,
    report: report && toReport(report, upload.notes),
    changes: changes.map(changeSentence),
    ...toCorrections(corrections),
  };
}

/**
 * Asks to post what was seen of a check. Asking again, or several times at once, is harmless.
 * @throws AppError 404 when there is no such check; 409 while it is not finished, or once it says something else
 */
export async function postCheck(ctx: Ctx & Audited, seen: SeenCheck & Requester): Promise<void> {
  const upload = await findSeen(ctx.db, seen);
  if (isAsked(upload)) return;
  if (upload.check?.report?.ready.invoices === 0) {
    throw conflict(
      "nothing_to_post",
      "No invoice of this file can be posted. Correct its problems and check it again.",
    );
  }
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await requeueCheck(tx, seen, "confirm"))) {
      // Another request may have asked since the check was read.
      if (isAsked(await findSeen(tx, seen))) return;
      throw conflict("not_checked", "The check isn't finished yet. Wait until it is, then post.");
    }
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    await ctx.audit(tx, { action: "check.post", ids: { upload: seen.id } });
  });
}

/**
 * Makes a finished check once more, in which the invoices that it left out, because other files had equal ones, are new
 * ones. Nothing is posted by it: a user then sees what would be.
 * @throws AppError 404 when there is no such check; 409 while it is not finished, once it says something else, or once
 * it is asked to be posted
 */
export async function addEqualInvoices(ctx: CallCtx, seen: SeenCheck & Requester): Promise<void> {
  const recheck = async (tx: Db) => {
    await findSeen(tx, seen);
    if (!(await requeueCheck(tx, seen, "addEqual"))) {
      throw conflict("not_checked", "The check isn't finished yet, or was posted. Reload the page.");
    }
    await addPostUpload(ctx, tx, { ...seen, uploadId: seen.id });
    await ctx.audit(tx, { action: "check.add_equal", ids: { upload: seen.id } });
  };
  await ctx.db.transaction().execute((tx) => withSummary(tx, seen, () => recheck(tx)));
}

/** @throws AppError 404 when there is no such check; 409 when it says something else than was seen */
export async function findSeen(
  db: Db,
  { realmId, id, revision }: SeenCheck,
): Promise<Upload & { check: NonNullable<Upload["check"]> }> {
  const upload = await findUpload(db, realmId, id);
  if (!upload?.check) throw noCheck();
  if (upload.check.revision === revision) return { ...upload, check: upload.check };
  throw conflict(
    "check_changed",
    "The check was made again since you looked at it, and may find something else now. Look at it again, then post.",
  );
}

const isAsked = ({ phase, check }: Upload) => phase === "post" || check?.confirmed === true;

/** Forgets a check that was not posted. Its file is forgotten with it. */
export async function dropCheck(ctx: CallCtx, realmId: string, uploadId: string): Promise<void> {
  const key = await ctx.db.transaction().execute(async (tx) => {
    const removed = await removeCheck(tx, { realmId, id: uploadId }, "user");
    if (removed) await ctx.audit(tx, { action: "check.drop", ids: { upload: uploadId } });
    return removed;
  });
  if (!key) throw noCheck();
  await ctx.objects.remove(key);
}

function stateOf(upload: Upload): UploadCheck["state"] {
  if (upload.phase === "post") return "posted";
  if (upload.state === "checked") return "checked";
  if (upload.state === "paused") return "waiting";
  if (upload.state === "stopped") return "failed";
  return upload.check?.confirmed ? "posting" : "checking";
}
