import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { listAttached } from "#features/tracking/store-writes.ts";
import { isAttachedTo } from "#integrations/intuit/attach-file.ts";
import { DAY_MS } from "#platform/time.ts";

const SPAN_MS = 30 * DAY_MS;

/** Compares the proofs attached in the last 30 days with the files in QuickBooks, by one metered read. @throws IntuitError */
export async function compareFiles({ db, clock, books }: TrackingCtx, realmId: string) {
  const attached = await listAttached(db, realmId, new Date(clock.now().getTime() - SPAN_MS));
  if (attached.length === 0) return null;
  const since = new Date(Math.min(...attached.map(({ planned_at: at }) => at.getTime())));
  const { data: files } = await books(realmId).findAttachmentsMadeSince(since);
  return {
    subjects: null,
    differences: attached
      .filter(
        (proof) =>
          !files.some((file) => file.FileName === proof.file_name && isAttachedTo(file, proof.qbo_id)),
      )
      .map((proof) => ({
        subject: proof.id,
        code: "file_gone",
        params: { invoice: proof.invoice, file: proof.file_name },
      })),
  };
}
