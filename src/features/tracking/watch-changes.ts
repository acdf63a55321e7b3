import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { startWatch } from "#features/tracking/watch.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";

/**
 * Lets the run of a company see at once that its service, settings, UPS account, labels or packages changed. A change that is missed is
 * found within a minute, or by the next pass.
 * @returns a function that stops it
 */
export const watchChanges = (ctx: TrackingCtx & { changes: ChangeFeed }): (() => void) =>
  ctx.changes.subscribe(({ realmId, kind }) => {
    if (!["companies", "labels", "packages"].includes(kind)) return;
    void startWatch(ctx, realmId).catch((error: unknown) =>
      ctx.log.warn({ err: error, realm: realmId }, "A change of a company could not wake its run"),
    );
  });
