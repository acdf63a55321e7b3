import { isDeepStrictEqual } from "node:util";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import type { LedgerPlan } from "#features/invoices/plan/plan-upload.ts";
import { findEarlier } from "#features/invoices/plan/store-earlier.ts";
import { addEntries, type Held } from "#features/invoices/ledger/store-entries.ts";
import { changeUpload, lockPlans } from "#features/invoices/ledger/store.ts";

/** Writes the ledger of an upload, under the lock of `holdPlan`. */
export async function writePlan(tx: Db, held: Held, { entries, notes, dataRows }: LedgerPlan): Promise<void> {
  await addEntries(tx, held, entries);
  // Columns that users chose since the file came may make lines of rows that nothing was known of.
  await changeUpload(tx, held, { planned: true, notes: toJson(notes), data_rows: dataRows });
}

/**
 * Keeps others from changing what a plan went by, until the transaction ends.
 * @throws PlanOutdated when the earlier uploads changed since the plan was made, or one of them is to be undone
 */
export async function holdPlan(tx: Db, { basis }: LedgerPlan): Promise<void> {
  await lockPlans(tx, basis.upload.realmId);
  const now = await findEarlier(tx, basis.upload, basis.search);
  const undoId = [...now.sameFile, ...now.equal].find((entry) => entry.undoId !== null)?.undoId ?? null;
  if (undoId !== null || !isDeepStrictEqual(now, basis.earlier)) throw new PlanOutdated(undoId);
}

/** What a plan went by is no longer so, or is being undone: it must be made again. */
export class PlanOutdated extends Error {
  override name = "PlanOutdated";
  /** An open undo of what it went by: the plan is made again after that. */
  readonly undoId: string | null;

  constructor(undoId: string | null) {
    super("What the plan of an upload went by has changed.");
    this.undoId = undoId;
  }
}
