import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { startWatch } from "#features/tracking/watch.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";

/**
 * Wakes a company's run when its service, settings, UPS account, labels or packages change. A missed event is caught within a minute,
 * or by the next pass.
 * @returns a function that unsubscribes
 */
export const watchChanges = (ctx: TrackingCtx & { changes: ChangeFeed }): (() => void) =>
  ctx.changes.subscribe(({ realmId, kind }) => {
    if (!["companies", "labels", "packages"].includes(kind)) return;
    void startWatch(ctx, realmId).catch((error: unknown) =>
      ctx.log.warn({ err: error, realm: realmId }, "Failed to wake a company's run after a change"),
    );
  });
