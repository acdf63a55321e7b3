import type { Ctx } from "#platform/ctx.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { ANSWER_MS, LOOK_EVERY_MS } from "#features/labels/limits.ts";
import { findRequest, hasEnded, type PrintId, type RequestState } from "#features/labels/requests/store.ts";

/**
 * Waits for the end of a request, whichever process works on it. A database that is away meanwhile is waited for, too.
 * @param gone aborted when whoever asked has hung up
 * @returns null when that takes longer than those on the way wait for an answer, or nobody waits any more
 */
export async function waitForLabels(
  { db, clock, log, changes }: Ctx & { changes: ChangeFeed },
  id: PrintId,
  gone: AbortSignal,
): Promise<RequestState | null> {
  const over = new AbortController();
  let isLate = false;
  let hint = Promise.withResolvers<void>();
  const unsubscribe = changes.subscribe(({ realmId, kind }) => {
    if (kind === "labels" && realmId === id.realmId) hint.resolve();
  });
  const end = () => {
    isLate = true;
    hint.resolve();
  };
  gone.addEventListener("abort", end);
  void clock.sleep(ANSWER_MS, over.signal).then(end);
  try {
    for (;;) {
      hint = Promise.withResolvers();
      const request = await findRequest(db, id).catch((error: unknown) => {
        log.warn({ err: error }, "What became of labels could not be read");
        return undefined;
      });
      if (gone.aborted) return null;
      if (request && hasEnded(request)) return request;
      // One that is not there any more, as after a reset of the demo, has no end.
      if (isLate || request === null) return null;
      // A hint may get lost.
      await Promise.race([hint.promise, clock.sleep(LOOK_EVERY_MS, over.signal)]);
    }
  } finally {
    over.abort();
    unsubscribe();
  }
}
