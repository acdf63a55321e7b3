import { sql } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";

/** Something of a company changed. Only a hint: subscribers read again. */
export type Change = {
  realmId: string;
  /**
   * `companies`: who works in it, its settings, its services or its connection. `labels`: a request for labels ended,
   * which is announced to no browser.
   */
  kind: "invoices" | "companies" | "labels";
  /** Users to whom this is news although they are no members any more. */
  userIds?: readonly string[];
};

const CHANNEL = "dockside_changes";

/** PostgreSQL takes less than 8,000 bytes at once, and a user's id is 39 of them. */
const USERS_AT_ONCE = 150;

/** Publishes a change to every process, when the transaction of `db` commits. */
export async function publishChange(db: Db, { userIds, ...change }: Change): Promise<void> {
  const parts = userIds ? inParts(userIds) : [undefined];
  for (const part of parts) {
    const payload = JSON.stringify({ ...change, userIds: part });
    await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db);
  }
}

/** At least one: without a named user the members are notified all the same. */
const inParts = (userIds: readonly string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(userIds.length / USERS_AT_ONCE)) }, (_, part) =>
    userIds.slice(part * USERS_AT_ONCE, (part + 1) * USERS_AT_ONCE),
  );

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
