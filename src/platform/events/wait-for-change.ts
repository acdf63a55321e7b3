import type { Clock } from "#platform/clock.ts";
import type { Change, ChangeFeed } from "#platform/events/change-feed.ts";
import { AppError } from "#platform/errors.ts";
import type { Log } from "#platform/log.ts";

/** How long a caller waits for a result; proxies wait a minute, and the document must be written too. */
export const ANSWER_MS = 45_000;

/** Interval at which a waiting caller reads the state, in case a change notice was lost. */
export const READ_EVERY_MS = 1_000;

/**
 * Reads a state at once, and again whenever the company changes, until there is a result.
 * @param read the result; undefined while it is awaited, null if there will be none
 * @param gone aborted when the caller hangs up
 * @returns the result; null too after `ANSWER_MS`, or if the caller is gone
 * @throws AppError that `read` throws
 */
export async function waitForChange<Result>(
  ctx: { clock: Clock; log: Log; changes: ChangeFeed },
  { realmId, kind }: Pick<Change, "realmId" | "kind">,
  { read, gone }: { read(): Promise<Result | null | undefined>; gone: AbortSignal },
): Promise<Result | null> {
  const until = ctx.clock.now().getTime() + ANSWER_MS;
  const over = new AbortController();
  let wake = Promise.withResolvers<void>();
  const unsubscribe = ctx.changes.subscribe((change) => {
    if (change.kind === kind && change.realmId === realmId) wake.resolve();
  });
  gone.addEventListener("abort", () => wake.resolve());
  try {
    for (;;) {
      wake = Promise.withResolvers();
      const result = await read().catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        // The database may be away for a moment.
        ctx.log.warn({ err: error }, "What a caller waits for could not be read");
        return undefined;
      });
      if (gone.aborted) return null;
      if (result !== undefined) return result;
      const left = until - ctx.clock.now().getTime();
      if (left <= 0) return null;
      await Promise.race([wake.promise, ctx.clock.sleep(Math.min(READ_EVERY_MS, left), over.signal)]);
    }
  } finally {
    over.abort();
    unsubscribe();
  }
}
