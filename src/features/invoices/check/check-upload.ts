import type { Db } from "#platform/db/connect.ts";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";
import { reportOf } from "#features/invoices/check/rules-report.ts";
import {
  dropEntries,
  findPostedLooks,
  readCheckedEntries,
  saveReport,
  turnIntoUpload,
} from "#features/invoices/check/store.ts";
import { withFence, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { LedgerPlan } from "#features/invoices/plan/plan-upload.ts";
import { writePlan } from "#features/invoices/plan/write-plan.ts";
import type { Upload } from "#features/invoices/store.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";

/** Lookalikes are searched this far back. */
const LOOK_BACK_MS = 90 * 24 * 3_600_000;

/**
 * Keeps what the check of a workbook found. Once a person has asked to post it, the check is made again: when it would
 * post exactly the same, the upload goes on to posting; when anything differs, nothing is posted and the differences
 * are told.
 * @returns `post` when the ledger stands and is to be posted now
 */
export async function checkUpload(
  ctx: InvoicesCtx,
  held: Held,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"checked" | "post"> {
  const before = upload.confirmed && upload.planned ? await comparables(ctx.db, held) : [];
  const since = new Date(ctx.clock.now().getTime() - LOOK_BACK_MS);
  return withFence(ctx, held, async (tx) => {
    await dropEntries(tx, held);
    await writePlan(tx, held, plan);
    // A check taken up again after its process died keeps the changes that it had found.
    const changes = upload.confirmed ? changesBetween(before, await comparables(tx, held)) : upload.changes;
    if (upload.confirmed && changes.length === 0) {
      await turnIntoUpload(tx, held, ctx.clock.now());
      return "post";
    }
    const looks = await findPostedLooks(tx, held, since);
    await saveReport(tx, held, {
      report: await reportOf(readCheckedEntries(tx, held), { looks, equalInvoices: plan.equal.invoices }),
      equalShown: plan.equal.uploadIds,
      changes,
    });
    return "checked";
  });
}

async function comparables(db: Db, held: Held): Promise<Comparable[]> {
  const found: Comparable[] = [];
  for await (const { key, docNumber, rows, state, draftMark, problems } of readCheckedEntries(db, held)) {
    const errors = problems.filter(({ severity }) => severity === "error");
    const texts = errors.map(({ text }) => text).join(" ");
    found.push({ key, docNumber, rows, state, draftMark, texts });
  }
  return found;
}
