import { sheetNames } from "#formats/table/places.ts";
import { notFound } from "#platform/errors.ts";
import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { changeSentence, toCorrections, toReport } from "#features/invoices/check/sentences.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { toSummary } from "#features/invoices/results/list-uploads.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { findUpload, type Upload } from "#features/invoices/ledger/store.ts";

export const noCheck = () => notFound("We can't find this check. Check the file again.");

/** Reads the report of a check. @throws AppError 404 for an unknown check */
export async function readCheck(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<UploadCheck> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload?.check) throw noCheck();
  const { revision, report, changes, corrections } = upload.check;
  const sheets = sheetNames(upload.notes);
  const { counts: _rows, invoices: _invoices, ...summary } = toSummary(ctx, upload);
  return {
    ...summary,
    state: toState(upload),
    reason: upload.cause ? uploadCauseSentence(upload.cause, upload.id) : "",
    mode: upload.mode,
    revision,
    report: report && toReport(report, upload.notes),
    changes: changes.map((change) => changeSentence(change, sheets)),
    ...toCorrections(corrections, sheets),
  };
}

function toState(upload: Upload): UploadCheck["state"] {
  if (upload.stage === "posting") return "posted";
  if (upload.state === "checked") return "checked";
  if (upload.state === "paused") return "waiting";
  if (upload.state === "stopped") return "failed";
  return upload.stage === "confirmed" ? "posting" : "checking";
}
