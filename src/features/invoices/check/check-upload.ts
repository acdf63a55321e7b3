import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";
import { reportOf, type CheckedEntry } from "#features/invoices/check/rules-report.ts";
import {
  dropEntries,
  findCheckedEntries,
  findPostedLooks,
  saveReport,
  turnIntoUpload,
} from "#features/invoices/check/store.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { planUpload, writePlan } from "#features/invoices/plan-upload.ts";
import type { Upload } from "#features/invoices/store.ts";
import type { Held } from "#features/invoices/store-ledger.ts";

/** Lookalikes are searched this far back. */
const LOOK_BACK_MS = 90 * 24 * 3_600_000;

/**
 * Checks a workbook and keeps what it found. Once a person has asked to post it, the check is made again: when it would
 * post exactly the same, the upload goes on to posting; when anything differs, nothing is posted and the differences
 * are told.
 * @returns `post` when the ledger stands and is to be posted now
 */
export async function checkUpload(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<"checked" | "post"> {
  const before = upload.planned ? await findCheckedEntries(ctx.db, held) : [];
  const plan = await planUpload(ctx, held, upload);
  const since = new Date(ctx.clock.now().getTime() - LOOK_BACK_MS);
  return withFence(ctx, held, async (tx) => {
    await dropEntries(tx, held);
    await writePlan(tx, held, plan);
    const now = await findCheckedEntries(tx, held);
    const changes = upload.confirmed ? changesBetween(before.map(comparable), now.map(comparable)) : [];
    if (upload.confirmed && changes.length === 0) {
      await turnIntoUpload(tx, held, ctx.clock.now());
      return "post";
    }
    const looks = await findPostedLooks(tx, held, since);
    await saveReport(tx, held, { report: reportOf(now, looks), changes });
    return "checked";
  });
}

const comparable = (entry: CheckedEntry & { draft: string }): Comparable => ({
  key: entry.key,
  docNumber: entry.docNumber,
  rows: entry.rows,
  state: entry.state,
  draft: entry.draft,
  texts: entry.problems
    .filter(({ severity }) => severity === "error")
    .map(({ text }) => text)
    .join(" "),
});
