import { sheetNames } from "#formats/table/places.ts";
import type { SheetNames } from "#formats/text/sheet-rows.ts";
import { findUserNames } from "#features/identity/index.ts";
import type {
  ListedUpload,
  ResultFilter,
  UploadList,
  UploadResult,
  UploadSummary,
  WaitingInvoices,
} from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readResults } from "#features/invoices/results/refresh-summary.ts";
import { filterResults } from "#features/invoices/results/rules-results.ts";
import { findListState, findUpload, noUpload, type Upload } from "#features/invoices/ledger/store.ts";
import { toWireResult } from "#features/invoices/results/sentences-results.ts";
import { countMatches, findUploads, findWaiting } from "#features/invoices/results/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { DAY_MS } from "#platform/time.ts";

type Page = { limit: number; before: string | null; search: string | null };

/**
 * Lists the newest uploads of a company, the newest of those older than one, or those that match a search.
 * Without a search, the cost does not grow with rows or history. `list` is null if the reader already has the
 * version in its ETag.
 * @throws AppError 404 if the company has no upload `before`
 */
export async function listUploads(
  ctx: InvoicesCtx,
  realmId: string,
  { knownEtag, ...page }: Page & { knownEtag: string | undefined },
): Promise<{ etag: string; list: UploadList | null }> {
  const { total, in_process, version } = await findListState(ctx.db, realmId);
  const { limit, before, search } = page;
  const etag = `"${realmId}-${version}-${limit}-${before ?? ""}-${encodeURIComponent(search ?? "")}"`;
  if (knownEtag === etag) return { etag, list: null };
  if (before && !(await findUpload(ctx.db, realmId, before))) throw noUpload();
  const found = await findUploads(ctx.db, realmId, page);
  const getName = await nameUploaders(ctx.db, found);
  const uploads = found.map((upload): ListedUpload => ({
    ...toSummary(ctx, { ...upload, realmId }),
    uploaded_by: getName(upload),
    fixes: upload.fixes,
  }));
  const total_count = search === null ? total : await countMatches(ctx.db, realmId, search);
  return { etag, list: { uploads, total_count, in_process } };
}

/** Rows that no user fixed for as long are not meant to be posted from here any more. */
const PROBLEMS_WAIT_MS = 90 * DAY_MS;

/** Counts what waits for a user in all uploads of a company, however many are newer. */
export const countWaiting = (ctx: InvoicesCtx, realmId: string): Promise<WaitingInvoices> =>
  findWaiting(ctx.db, realmId, new Date(ctx.clock.now().getTime() - PROBLEMS_WAIT_MS));

type Uploader = { uploaderId: string | null; uploadedBy: string };

/** Finds the names of uploading users; for unknown names, the e-mail they had then. */
export async function nameUploaders(
  db: Db,
  uploads: readonly Uploader[],
): Promise<(upload: Uploader) => string> {
  const names = await findUserNames(
    db,
    uploads.flatMap(({ uploaderId }) => uploaderId ?? []),
  );
  return ({ uploaderId, uploadedBy }) => names.get(uploaderId ?? "") ?? uploadedBy;
}

/** Lists all result entries of one upload. @throws AppError 404 for an unknown upload */
export async function listUploadResults(
  ctx: InvoicesCtx,
  realmId: string,
  asked: { uploadId: string; filter: ResultFilter },
): Promise<{ results: UploadResult[] }> {
  const upload = await findUpload(ctx.db, realmId, asked.uploadId);
  if (!upload) throw noUpload();
  const results = filterResults(await readResults(ctx.db, upload), asked.filter);
  const context = wireContext(ctx, upload, sheetNames(upload.notes));
  return { results: results.map((result) => toWireResult(result, context)) };
}

type Listed = Pick<Upload, "realmId" | "id" | "fileName" | "uploadedAt" | "summary">;

/** Converts an upload and its first results to their wire shape. */
export function toSummary(ctx: InvoicesCtx, upload: Listed): UploadSummary {
  const { id, fileName, uploadedAt } = upload;
  const { sheets = [], ...summary } = upload.summary;
  const context = wireContext(ctx, upload, sheets);
  const results = summary.results.map((result) => toWireResult(result, context));
  return { id, filename: fileName, timestamp: uploadedAt.toISOString(), ...summary, results };
}

const wireContext = (
  ctx: InvoicesCtx,
  { realmId, id }: Pick<Upload, "realmId" | "id">,
  sheets: SheetNames,
) => ({
  uploadId: id,
  sheets,
  findPage: (invoiceId: string) => ctx.invoicePage({ realmId, id: invoiceId }),
});
