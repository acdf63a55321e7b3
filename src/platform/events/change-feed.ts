import { sql } from "kysely";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";

/** A change of a company's data. Only a hint: subscribers refetch. */
export type Change = {
  realmId: string;
  /**
   * `companies`: its members, settings, services or connection. `tracking`: packages it follows. `packages`:
   * what UPS says of them, not yet compared with its invoices. `labels`: a label upload ended, or UPS labels changed. These two
   * are not sent to browsers. `orders`: the retailer's orders, their UPS labels and notices.
   */
  kind: "invoices" | "companies" | "tracking" | "packages" | "labels" | "orders";
  /** Users to notify although they are no longer members. */
  userIds?: readonly string[];
};

const CHANNEL = "dockside_changes";

/** PostgreSQL's limit is below 8,000 bytes per notification, and a user's id takes 39. */
const USERS_AT_ONCE = 150;

/** Publishes a change to all processes when the transaction of `db` commits. */
export async function publishChange(db: Db, { userIds, ...change }: Change): Promise<void> {
  const parts = userIds ? inParts(userIds) : [undefined];
  for (const part of parts) {
    const payload = JSON.stringify({ ...change, userIds: part });
    await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db);
  }
}

/** At least one part: members are notified even if no users are named. */
const inParts = (userIds: readonly string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(userIds.length / USERS_AT_ONCE)) }, (_, part) =>
    userIds.slice(part * USERS_AT_ONCE, (part + 1) * USERS_AT_ONCE),
  );

/**
 * Creates the feed of changes from all processes. A change published while the connection is lost is only
 * delayed until the next poll.
 */
export async function createChangeFeed(connectionString: string, ctx: { log: Log; clock: Clock }) {
  const subscribers = new Set<(change: Change) => void>();
  const close = await listen(connectionString, { ...ctx, channel: CHANNEL }, (payload) => {
    const change = JSON.parse(payload) as Change;
    for (const onChange of subscribers) onChange(change);
  });
  return {
    /** Calls `onChange` with every change from now on. @returns a function that unsubscribes */
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
