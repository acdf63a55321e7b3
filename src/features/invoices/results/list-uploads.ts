import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { ResultFilter, UploadList, UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { resultsOf } from "#features/invoices/results/refresh-summary.ts";
import { filterResults } from "#features/invoices/results/rules-results.ts";
import { findListState, findNewestUploads, findUpload } from "#features/invoices/store.ts";
import { findResultEntries } from "#features/invoices/results/store-entries.ts";
import type { Summary } from "#features/invoices/tables.ts";

/** The list, or `unchanged` when the reader already has the version named by its ETag. */
export type ListedUploads =
  | { kind: "list"; etag: string; list: UploadList }
  | { kind: "unchanged"; etag: string };

/** The newest uploads of a company. Its cost does not grow with the rows or the history behind it. */
export async function listUploads(
  ctx: Ctx,
  realmId: string,
  asked: { limit: number; knownEtag: string | undefined },
): Promise<ListedUploads> {
  const { total, in_process, version } = await findListState(ctx.db, realmId);
  const etag = `"${realmId}-${version}-${asked.limit}"`;
  if (asked.knownEtag === etag) return { kind: "unchanged", etag };
  const uploads = await findNewestUploads(ctx.db, realmId, asked.limit);
  return { kind: "list", etag, list: { uploads: uploads.map(toSummary), total_count: total, in_process } };
}

/** All result entries of one upload. @throws AppError 404 when the company has no such upload */
export async function listUploadResults(
  ctx: Ctx,
  realmId: string,
  asked: { uploadId: string; filter: ResultFilter },
): Promise<{ results: UploadResult[] }> {
  const upload = await findUpload(ctx.db, realmId, asked.uploadId);
  if (!upload) throw notFound("This company has no such upload. Reload the page to see its uploads.");
  const entries = upload.planned ? await findResultEntries(ctx.db, realmId, upload.id) : [];
  return { results: filterResults(resultsOf(upload, entries), asked.filter) };
}

function toSummary(upload: {
  id: string;
  file_name: string;
  uploaded_at: Date;
  summary: Summary;
}): UploadSummary {
  const { id, file_name, uploaded_at, summary } = upload;
  return { id, filename: file_name, timestamp: uploaded_at.toISOString(), ...summary };
}
