import { sql } from "kysely";
import pg from "pg";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";

/** Something of a company changed. Only a hint: whoever hears it asks again. */
export type Change = { realmId: string; kind: "invoices" };

const CHANNEL = "dockside_changes";
const RECONNECT_MS = 2_000;

/** Tells every process of a change, when the transaction of `db` commits. */
export async function tellChange(db: Db, change: Change): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`.execute(db);
}

export type ChangeFeed = {
  /** Calls `hear` with every change from now on. @returns a function that ends it */
  subscribe(hear: (change: Change) => void): () => void;
  close(): Promise<void>;
};

/**
 * Hears the changes of all processes over one connection of its own. A lost connection is opened again; what was told
 * meanwhile is lost, which costs nothing but the time to the next poll.
 */
export async function createChangeFeed(
  connectionString: string,
  { log, clock }: { log: Log; clock: Clock },
): Promise<ChangeFeed> {
  const hearers = new Set<(change: Change) => void>();
  const stop = new AbortController();
  let client: pg.Client | null = null;

  const connect = async () => {
    const fresh = new pg.Client({ connectionString });
    fresh.on("notification", ({ payload }) => {
      const change = JSON.parse(payload ?? "null") as Change;
      for (const hear of hearers) hear(change);
    });
    fresh.on("error", (error) => log.warn({ err: error }, "The connection that hears changes was lost"));
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    // Only now: a refused connection ends too, and would start a second loop beside the one that tried it.
    fresh.once("end", () => void reconnect());
    client = fresh;
  };

  const reconnect = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(RECONNECT_MS, stop.signal);
      if (stop.signal.aborted) return;
      try {
        await connect();
        return;
      } catch (error) {
        log.warn({ err: error }, "Changes cannot be heard yet");
      }
    }
  };

  await connect();
  return {
    subscribe: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    close: async () => {
      stop.abort();
      hearers.clear();
      await client?.end();
    },
  };
}
