import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import type { Cause } from "#platform/runs/types.ts";

/** The run waits until something is due. */
export const WATCHING: Cause = { code: "watching" };

/**
 * Makes a company's run look at what the transaction changes. It locks the company's row, as the end of a pass does: so a pass
 * either sees the changes, or waits already and is woken.
 */
export async function wakeWatch(tx: Db, realmId: string, now: Date): Promise<void> {
  await sql`select from tracking_company where realm_id = ${realmId} for update`.execute(tx);
  await wakeRuns(tx, realmId, { causes: [WATCHING], now });
}
