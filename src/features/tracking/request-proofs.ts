import { trackPackage } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { makeProof } from "#features/tracking/proof/make-proof.ts";
import { planProof } from "#features/tracking/rules-proofs.ts";
import { markInvoicesDirty } from "#features/tracking/store-packages.ts";
import { changeProof, listDueProofs, type DueProof } from "#features/tracking/store-proofs.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { Db } from "#platform/db/connect.ts";
import { HOUR_MS } from "#platform/time.ts";

type Fenced = <T>(write: (tx: Db) => Promise<T>) => Promise<T>;

/** Proofs requested in a row; then other companies have their turn. */
const BATCH_SIZE = 30;

/** Requests the proofs of delivered packages that are due, and stores them. @throws UpsError */
export async function requestProofs(
  ctx: TrackingCtx,
  { realmId, fenced, stop }: { realmId: string; fenced: Fenced; stop: AbortSignal },
): Promise<void> {
  for (const due of await listDueProofs(ctx.db, realmId, { now: ctx.clock.now(), limit: BATCH_SIZE })) {
    if (stop.aborted) return;
    const { number } = due;
    const change = await requestProof(ctx, realmId, due).catch(async (error: unknown) => {
      // It may be of this package only: the next pass begins with another.
      if (error instanceof UpsError && error.kind === "uncertain") {
        const later = new Date(ctx.clock.now().getTime() + HOUR_MS);
        await fenced((tx) => changeProof(tx, { realmId, number }, { due_at: later }));
      }
      throw error;
    });
    await fenced(async (tx) => {
      await changeProof(tx, { realmId, number }, change);
      await markInvoicesDirty(tx, realmId, [number]);
    });
  }
}

/** Makes the proof of a package; without one of UPS's it is requested again, and made of the activities at the end. */
async function requestProof(ctx: TrackingCtx, realmId: string, due: DueProof) {
  const found = await trackPackage(ctx, { realm_id: realmId, number: due.number }, { withProof: true });
  const now = ctx.clock.now();
  const requests = due.requests + 1;
  const requestedAt = due.requested_at ?? now;
  const nextAt = planProof(requests, requestedAt);
  const requested = { requests, requested_at: requestedAt, due_at: nextAt };
  if (!found) return { ...requested, state: nextAt ? ("waiting" as const) : ("gone" as const) };
  const { pdf, source } = await makeProof({ tracked: found, now });
  if (source === "activity" && nextAt) return requested;
  return {
    ...requested,
    due_at: null,
    state: source,
    pdf,
    page: found.delivery?.proof ?? null,
    signature: found.delivery?.signature ?? null,
  };
}
