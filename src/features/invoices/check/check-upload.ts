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
import { withFence } from "#platform/runs/fence.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { LedgerPlan } from "#features/invoices/plan/plan-upload.ts";
import { draftFingerprintOf } from "#features/invoices/plan/rules-fingerprint.ts";
import { planCreates } from "#features/invoices/ledger/store-writes.ts";
import { holdPlan, writePlan } from "#features/invoices/plan/write-plan.ts";
import type { Upload } from "#features/invoices/ledger/store.ts";
import type { Held, NewEntry } from "#features/invoices/ledger/store-entries.ts";

/** Lookalikes are searched this far back. */
const LOOK_BACK_MS = 90 * 24 * 3_600_000;

/**
 * Keeps what the check of a workbook found. Once a user has asked to post it, the check is made again: when it would
 * post exactly the same, the upload goes on to posting with the ledger that was seen; when anything differs, nothing is
 * posted and the differences are shown.
 * @returns `post` when the invoices are planned and are to be posted now
 */
export async function checkUpload(
  ctx: InvoicesCtx,
  held: Held,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"checked" | "post"> {
  const { confirmed: isConfirmed = false, changes: found = [] } = upload.check ?? {};
  const before = isConfirmed && upload.planned ? await seenOf(ctx.db, held) : [];
  // A check taken up again after its process died keeps the changes that it had found.
  const changes = isConfirmed ? changesBetween(before, plannedOf(plan)) : found;
  const now = ctx.clock.now();
  return withFence(ctx.db, held.run, async (tx) => {
    await holdPlan(tx, plan);
    if (isConfirmed && changes.length === 0) {
      await planCreates(tx, held, { takesNumbers: plan.takesNumbers, now });
      await turnIntoUpload(tx, held, now);
      return "post";
    }
    await dropEntries(tx, held);
    await writePlan(tx, held, plan);
    const looks = await findPostedLooks(tx, held, new Date(now.getTime() - LOOK_BACK_MS));
    await saveReport(tx, held, {
      report: await reportOf(readCheckedEntries(tx, held), { looks, equalInvoices: plan.equal.invoices }),
      equalShown: plan.equal.uploadIds,
      changes,
      corrections: plan.corrected,
    });
    return "checked";
  });
}

async function seenOf(db: Db, held: Held): Promise<Comparable[]> {
  const found: Comparable[] = [];
  for await (const entry of readCheckedEntries(db, held)) found.push(comparable(entry));
  return found;
}

function* plannedOf({ entries }: LedgerPlan) {
  for (const entry of entries) {
    const errors = entry.problems.filter(({ severity }) => severity === "error");
    yield { ...comparable({ ...entry, state: entry.verdict }), errors };
  }
}

const comparable = ({ key, docNumber, rows, state, draft }: Seen): Comparable => ({
  key,
  docNumber,
  rows,
  state,
  draftFingerprint: draftFingerprintOf(draft),
});

type Seen = Pick<NewEntry, "key" | "docNumber" | "rows" | "draft"> & { state: string };
