import { findOldChecks, removeCheck } from "#features/invoices/check/store.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { CHECK_KEPT_MS } from "#features/invoices/limits.ts";

/** Removes old checks that nobody posted or dropped, with their files; those that are being worked on stay. */
export async function removeOldChecks(ctx: InvoicesCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - CHECK_KEPT_MS);
  for (const check of await findOldChecks(ctx.db, before))
    await ctx.db.transaction().execute(async (tx) => {
      const key = await removeCheck(tx, check, "age");
      // Before the row is surely gone: a file without a row would stay for ever, a row without its file is removed again.
      if (key) await ctx.objects.remove(key);
    });
}
