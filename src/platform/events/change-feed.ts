import { sql } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";

/** Something of a company changed. Only a hint: whoever hears it asks again. */
export type Change = { realmId: string; kind: "invoices" };

const CHANNEL = "dockside_changes";

/** Tells every process of a change, when the transaction of `db` commits. */
export async function publishChange(db: Db, change: Change): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`.execute(db);
}

export type ChangeFeed = {
  /** Calls `hear` with every change from now on. @returns a function that ends it */
  subscribe(hear: (change: Change) => void): () => void;
  close(): Promise<void>;
};

/** The changes of all processes. What is told while the connection is lost costs nothing but the time to the next poll. */
export async function createChangeFeed(
  connectionString: string,
  ctx: { log: Log; clock: Clock },
): Promise<ChangeFeed> {
  const hearers = new Set<(change: Change) => void>();
  const close = await listen(connectionString, { ...ctx, channel: CHANNEL }, (payload) => {
    const change = JSON.parse(payload) as Change;
    for (const hear of hearers) hear(change);
  });
  return {
    subscribe: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    close: async () => {
      hearers.clear();
      await close();
    },
  };
}
