import type { Db } from "#platform/db/connect.ts";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";
import { buildReport } from "#features/invoices/check/rules-report.ts";
import {
  dropEntries,
  findPostedDuplicates,
  readCheckedEntries,
  saveReport,
  turnIntoUpload,
} from "#features/invoices/check/store.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { holdPlan, type LedgerPlan, writePlan } from "#features/invoices/plan/plan-upload.ts";
import { fingerprintDraft } from "#features/invoices/plan/rules-draft.ts";
import { planCreates } from "#features/invoices/ledger/store-writes.ts";
import type { Upload } from "#features/invoices/ledger/store.ts";
import type { NewEntry, UploadRun } from "#features/invoices/ledger/store-entries.ts";
import { DAY_MS } from "#platform/time.ts";

/** Age limit for finding possible duplicates. */
const LOOK_BACK_MS = 90 * DAY_MS;

/**
 * Saves the report of a check. After a user has confirmed posting, the check is repeated: if it would post
 * exactly the same, the upload continues to posting with the ledger that the user saw; otherwise nothing is
 * posted and the differences are shown.
 * @returns `post` if the invoices are planned and should be posted now
 */
export async function checkUpload(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"checked" | "post"> {
  const { confirmed: isConfirmed = false, changes: found = [] } = upload.check ?? {};
  const before = isConfirmed && upload.planned ? await loadSeen(ctx.db, uploadRun) : [];
  // A check resumed after its process died keeps the changes it had found.
  const changes = isConfirmed ? changesBetween(before, toComparables(plan)) : found;
  const now = ctx.clock.now();
  return withFence(ctx.db, uploadRun.run, async (tx) => {
    await holdPlan(tx, plan);
    if (isConfirmed && changes.length === 0) {
      await planCreates(tx, uploadRun, { takesNumbers: plan.takesNumbers, now });
      await turnIntoUpload(tx, uploadRun, now);
      return "post";
    }
    await dropEntries(tx, uploadRun);
    await writePlan(tx, uploadRun, plan);
    const candidates = await findPostedDuplicates(tx, uploadRun, new Date(now.getTime() - LOOK_BACK_MS));
    await saveReport(tx, uploadRun, {
      report: await buildReport(readCheckedEntries(tx, uploadRun), {
        candidates,
        equalInvoices: plan.equal.invoices,
      }),
      duplicatesShown: plan.equal.uploadIds,
      changes,
      corrections: plan.corrected,
    });
    return "checked";
  });
}

async function loadSeen(db: Db, uploadRun: UploadRun): Promise<Comparable[]> {
  const found: Comparable[] = [];
  for await (const entry of readCheckedEntries(db, uploadRun)) found.push(comparable(entry));
  return found;
}

function* toComparables({ entries }: LedgerPlan) {
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
  draftFingerprint: fingerprintDraft(draft),
});

type Seen = Pick<NewEntry, "key" | "docNumber" | "rows" | "draft"> & { state: string };
