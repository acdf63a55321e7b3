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
/** Adds the former for companies whose service is on. */
export const startRun = defineRun({ kind: "tracking.start", lane: () => "tracking:start", every: "minute" });

/** Reads messages of vendors; requested with each. */
export const inboxRun = defineRun({ kind: "tracking.inbox", lane: () => "tracking:inbox" });

/** A company has one open run, so its subject is the same for all. */
const SUBJECT = "00000000-0000-0000-0000-000000000000";

/** The run waits until something is due. */
export const WATCHING: Cause = { code: "watching" };

type Begin = { realmId: string; id: string; now: Date };

/** Adds a company's run if none is open. */
export const addWatch = (tx: Db, { realmId, id, now }: Begin): Promise<void> =>
  addRun(tx, watchRun, { realmId, id, subject: SUBJECT, requestedBy: "system", requestedAt: now });

/**
 * Makes a company's run look at what the transaction changes. It locks the company's row, as the end of a pass does: so a run
 * that does not wait yet finds at its end that it was woken.
 */
export async function wakeWatch(tx: Db, realmId: string, now: Date): Promise<void> {
  await sql`update tracking_company set wake_requested_at = ${now} where realm_id = ${realmId}`.execute(tx);
  await wakeRuns(tx, realmId, { causes: [WATCHING], now });
}

/** Makes a company's run due at a time, unless it is due earlier. One that works now finds at its end what changed. */
export const runWatchSooner = (tx: Db, realmId: string, at: Date): Promise<void> =>
  runSooner(tx, realmId, { cause: WATCHING, at });
