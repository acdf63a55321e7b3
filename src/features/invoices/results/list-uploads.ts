import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { ResultFilter, UploadList, UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { resultsOf } from "#features/invoices/results/refresh-summary.ts";
import { filterResults } from "#features/invoices/results/rules-results.ts";
import {
  findListState,
  findNewestUploads,
  findUpload,
  type Upload,
} from "#features/invoices/ledger/store.ts";
import { toResult } from "#features/invoices/results/sentences-results.ts";
import { findResultEntries } from "#features/invoices/results/store-entries.ts";

/** The list, or `unchanged` when the reader already has the version named by its ETag. */
export type ListedUploads =
  | { kind: "list"; etag: string; list: UploadList }
  | { kind: "unchanged"; etag: string };

/**
 * The newest uploads of a company, or the newest of those older than one. Its cost does not grow with the rows or the
 * history behind it.
 * @throws AppError 404 when the company has no upload `before`
 */
export async function listUploads(
  ctx: Ctx,
  realmId: string,
  { knownEtag, ...page }: { limit: number; before: string | null; knownEtag: string | undefined },
): Promise<ListedUploads> {
  const { total, in_process, version } = await findListState(ctx.db, realmId);
  const etag = `"${realmId}-${version}-${page.limit}-${page.before ?? ""}"`;
  if (knownEtag === etag) return { kind: "unchanged", etag };
  if (page.before && !(await findUpload(ctx.db, realmId, page.before))) throw noSuchUpload();
  const uploads = await findNewestUploads(ctx.db, realmId, page);
  return { kind: "list", etag, list: { uploads: uploads.map(toSummary), total_count: total, in_process } };
}

/** All result entries of one upload. @throws AppError 404 when the company has no such upload */
export async function listUploadResults(
  ctx: Ctx,
  realmId: string,
  asked: { uploadId: string; filter: ResultFilter },
): Promise<{ results: UploadResult[] }> {
  const upload = await findUpload(ctx.db, realmId, asked.uploadId);
  if (!upload) throw noSuchUpload();
  const entries = upload.planned ? await findResultEntries(ctx.db, realmId, upload.id) : [];
  const results = filterResults(resultsOf(upload, entries), asked.filter);
  return { results: results.map((result) => toResult(result, upload.id)) };
}

const noSuchUpload = () => notFound("This company has no such upload. Reload the page to see its uploads.");

type Listed = Pick<Upload, "id" | "fileName" | "uploadedAt" | "summary">;

/** An upload as the list shows it. */
export function toSummary({ id, fileName, uploadedAt, summary }: Listed): UploadSummary {
  const results = summary.results.map((result) => toResult(result, id));
  return { id, filename: fileName, timestamp: uploadedAt.toISOString(), ...summary, results };
}
