import type { Db } from "#platform/db/connect.ts";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";
import { buildReport } from "#features/invoices/check/rules-report.ts";
import {
  dropEntries,
  findPostedDuplicates,
  readCheckedEntries,
  saveReport,
} from "#features/invoices/check/store.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { holdPlan, type LedgerPlan, writePlan } from "#features/invoices/plan/plan-upload.ts";
import { fingerprintDraft } from "#features/invoices/plan/rules-fingerprints.ts";
import { planCreates } from "#features/invoices/ledger/store-writes.ts";
import { changeUpload, raiseListVersion, type Upload } from "#features/invoices/ledger/store.ts";
import type { NewEntry, UploadRun } from "#features/invoices/ledger/store-entries.ts";
import { DAY_MS } from "#platform/time.ts";

/** Age limit for finding possible duplicates. */
const LOOK_BACK_MS = 90 * DAY_MS;

/**
 * Saves a plan: for a user to review, or if it is confirmed, to be posted. A plan that a user confirmed is made
 * again: if it would post exactly the same, the upload continues to posting with the ledger that the user saw;
 * otherwise nothing is posted, and the user reviews the differences.
 * @returns the stage that the upload is in then
 */
export async function savePlan(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"review" | "posting"> {
  const isConfirmed = upload.stage === "confirmed";
  const isReviewed = isConfirmed && upload.check !== null;
  const changes = isReviewed ? changesBetween(await loadSeen(ctx.db, uploadRun), toComparables(plan)) : [];
  const now = ctx.clock.now();
  return withFence(ctx.db, uploadRun.run, async (tx) => {
    await holdPlan(tx, plan);
    if (isConfirmed && changes.length === 0) {
      if (!isReviewed) await writePlan(tx, uploadRun, plan);
      await planCreates(tx, uploadRun, { takesNumbers: plan.takesNumbers, now });
      await changeUpload(tx, uploadRun, { stage: "posting" });
      return "posting";
    }
    await dropEntries(tx, uploadRun);
    await writePlan(tx, uploadRun, plan);
    await changeUpload(tx, uploadRun, { stage: "review" });
    if (isConfirmed) await raiseListVersion(tx, uploadRun.realmId, -1);
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
    return "review";
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
