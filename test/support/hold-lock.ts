import type { Db } from "#platform/db/connect.ts";
import type { TestApp } from "./start-app.ts";

/**
 * Holds locks of the database, as work that has not come to its end does.
 * @returns a function that gives them back
 */
export async function holdLock(
  { db }: TestApp,
  lock: (tx: Db) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const ended = db.transaction().execute(async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}
