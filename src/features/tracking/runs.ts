import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun, runSooner, wakeRuns } from "#platform/runs/store.ts";
import type { Cause } from "#platform/runs/types.ts";

/** Follows the packages of one company for as long as it has the service. */
export const watchRun = defineRun({
  kind: "tracking.watch",
  lane: (realmId) => `tracking:${realmId}`,
  isCancelable: true,
});
/** Adds the watch run for companies whose service is on. */
export const startRun = defineRun({ kind: "tracking.start", lane: () => "tracking:start", every: "minute" });

/** Reads vendors' messages; each incoming message requests it. */
export const inboxRun = defineRun({ kind: "tracking.inbox", lane: () => "tracking:inbox" });

/** A company has at most one open run, so all companies share one subject. */
const SUBJECT = "00000000-0000-0000-0000-000000000000";

/** The run waits until something is due. */
export const WATCHING: Cause = { code: "watching" };

type Begin = { realmId: string; id: string; now: Date };

/** Adds a company's run if none is open. */
export const addWatch = (tx: Db, { realmId, id, now }: Begin): Promise<void> =>
  addRun(tx, watchRun, { realmId, id, subject: SUBJECT, requestedBy: "system", requestedAt: now });

/**
 * Wakes a company's run for the changes of the transaction. Locks the company's row, as the end of a pass does, so that a run
 * that is still working sees at the end of its pass that it was woken.
 */
export async function wakeWatch(tx: Db, realmId: string, now: Date): Promise<void> {
  await sql`update tracking_company set wake_requested_at = ${now} where realm_id = ${realmId}`.execute(tx);
  await wakeRuns(tx, realmId, { causes: [WATCHING], now });
}

/** Makes a company's run due at a time, unless it is due earlier. A run that is working sees the change at the end of its pass. */
export const runWatchSooner = (tx: Db, realmId: string, at: Date): Promise<void> =>
  runSooner(tx, realmId, { cause: WATCHING, at });
