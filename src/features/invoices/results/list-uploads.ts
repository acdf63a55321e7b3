import type { Ctx } from "#platform/ctx.ts";
import type { ResultFilter, UploadList, UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { readResults } from "#features/invoices/results/refresh-summary.ts";
import { filterResults } from "#features/invoices/results/rules-results.ts";
import {
  findListState,
  findNewestUploads,
  findUpload,
  type Upload,
} from "#features/invoices/ledger/store.ts";
import { toResult } from "#features/invoices/results/sentences-results.ts";
import { noUpload } from "#features/invoices/ledger/errors.ts";

/**
 * The newest uploads of a company, or the newest of those older than one. Its cost does not grow with the rows or the
 * history behind it. `list` is null when the reader already has the version named by its ETag.
 * @throws AppError 404 when the company has no upload `before`
 */
export async function listUploads(
  ctx: Ctx,
  realmId: string,
  { knownEtag, ...page }: { limit: number; before: string | null; knownEtag: string | undefined },
): Promise<{ etag: string; list: UploadList | null }> {
  const { total, in_process, version } = await findListState(ctx.db, realmId);
  const etag = `"${realmId}-${version}-${page.limit}-${page.before ?? ""}"`;
  if (knownEtag === etag) return { etag, list: null };
  if (page.before && !(await findUpload(ctx.db, realmId, page.before))) throw noUpload();
  const uploads = await findNewestUploads(ctx.db, realmId, page);
  return { etag, list: { uploads: uploads.map(toSummary), total_count: total, in_process } };
}

/** All result entries of one upload. @throws AppError 404 when the company has no such upload */
export async function listUploadResults(
  ctx: Ctx,
  realmId: string,
  asked: { uploadId: string; filter: ResultFilter },
): Promise<{ results: UploadResult[] }> {
  const upload = await findUpload(ctx.db, realmId, asked.uploadId);
  if (!upload) throw noUpload();
  const results = filterResults(await readResults(ctx.db, upload), asked.filter);
  return { results: results.map((result) => toResult(result, upload.id)) };
}

type Listed = Pick<Upload, "id" | "fileName" | "uploadedAt" | "summary">;

/** An upload as the list shows it. */
export function toSummary({ id, fileName, uploadedAt, summary }: Listed): UploadSummary {
  const results = summary.results.map((result) => toResult(result, id));
  return { id, filename: fileName, timestamp: uploadedAt.toISOString(), ...summary, results };
}
