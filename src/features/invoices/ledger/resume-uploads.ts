import type { Db } from "#platform/db/connect.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import { OUTAGES } from "#features/invoices/ledger/rules-runs.ts";
import { raiseListVersion } from "#features/invoices/ledger/store.ts";

/** Lets uploads and undos that waited for a company's new authorization go on, in the transaction that stores it. */
export async function resumeUploads(tx: Db, { realmId, now }: { realmId: string; now: Date }): Promise<void> {
  const woken = await wakeRuns(tx, realmId, { causes: OUTAGES.map((code) => ({ code })), now });
  if (woken.length > 0) await raiseListVersion(tx, realmId);
}
