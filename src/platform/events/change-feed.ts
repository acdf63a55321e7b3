import { sql } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";

/** Something of a company changed. Only a hint: subscribers read again. */
export type Change = {
  realmId: string;
  /** `companies`: who works in it, its settings, its services or its connection. */
  kind: "invoices" | "companies";
  /** Users to whom this is news although they are no members any more. */
  userIds?: readonly string[];
};

const CHANNEL = "dockside_changes";

/** Publishes a change to every process, when the transaction of `db` commits. */
export async function publishChange(db: Db, change: Change): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`.execute(db);
}

/** The changes of all processes. A change published while the connection is lost is only delayed until the next poll. */
export async function createChangeFeed(connectionString: string, ctx: { log: Log; clock: Clock }) {
  const subscribers = new Set<(change: Change) => void>();
  const close = await listen(connectionString, { ...ctx, channel: CHANNEL }, (payload) => {
    const change = JSON.parse(payload) as Change;
    for (const onChange of subscribers) onChange(change);
  });
  return {
    /** Calls `onChange` with every change from now on. @returns a function that ends it */
    subscribe: (onChange: (change: Change) => void) => {
      subscribers.add(onChange);
      return () => subscribers.delete(onChange);
    },
    close: async () => {
      subscribers.clear();
      await close();
    },
  };
}

export type ChangeFeed = Awaited<ReturnType<typeof createChangeFeed>>;
