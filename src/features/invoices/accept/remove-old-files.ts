import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { changeUpload, findNeededKeys, findOldFiles } from "#features/invoices/ledger/store.ts";
import { FILES_AT_ONCE, ORPHAN_AFTER_MS } from "#features/invoices/limits.ts";
import { DAY_MS } from "#platform/time.ts";

/**
 * Removes the files of uploads past their retention; the ledger keeps what was posted. Safe to interrupt and
 * repeat: a file is removed before its row records that.
 * @returns number of removed files
 */
export async function removeOldFiles(
  ctx: InvoicesCtx,
  { retentionDays, stop }: { retentionDays: number; stop: AbortSignal },
): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - retentionDays * DAY_MS);
  for (let removed = 0; ;) {
    const files = stop.aborted ? [] : await findOldFiles(ctx.db, before, FILES_AT_ONCE);
    for (const file of files) {
      await ctx.objects.remove(file.objectKey);
      await changeUpload(ctx.db, file, { file_removed_at: ctx.clock.now() });
      removed += 1;
    }
    if (files.length < FILES_AT_ONCE) return removed;
  }
}

/**
 * Removes stored files that no upload needs: a file is stored before the transaction that records it, which
 * may fail.
 * @returns number of removed files
 */
export async function removeOrphanFiles(ctx: InvoicesCtx, stop: AbortSignal): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - ORPHAN_AFTER_MS);
  let removed = 0;
  let keys: string[] = [];
  const removeUnneeded = async () => {
    const needed = keys.length > 0 ? await findNeededKeys(ctx.db, keys) : new Set();
    for (const key of keys.filter((candidate) => !needed.has(candidate))) {
      await ctx.objects.remove(key);
      removed += 1;
    }
    keys = [];
  };
  for await (const key of ctx.objects.listOlder("uploads", before)) {
    if (stop.aborted) return removed;
    if (keys.push(key) === FILES_AT_ONCE) await removeUnneeded();
  }
  await removeUnneeded();
  return removed;
}
