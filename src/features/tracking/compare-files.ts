import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { listAttached } from "#features/tracking/store-writes.ts";
import { isAttachedTo } from "#integrations/intuit/attach-file.ts";
import type { Attachable } from "#integrations/intuit/wire.ts";
import { DAY_MS, HOUR_MS } from "#platform/time.ts";

const SPAN_MS = 30 * DAY_MS;
/** QuickBooks' searches show a new file minutes later. */
const LAG_MS = HOUR_MS;

type Attached = Awaited<ReturnType<typeof listAttached>>[number];

/** Compares the proofs attached in the last 30 days with the files in QuickBooks, by one metered read if all are there. @throws IntuitError */
export async function compareFiles({ db, clock, books }: TrackingCtx, realmId: string) {
  const now = clock.now().getTime();
  const times = { since: new Date(now - SPAN_MS), until: new Date(now - LAG_MS) };
  const attached = await listAttached(db, realmId, times);
  if (attached.length === 0) return null;
  const since = new Date(Math.min(...attached.map(({ planned_at: at }) => at.getTime())));
  const { data: files } = await books(realmId).findAttachmentsMadeSince(since);
  const gone: Attached[] = [];
  // A file is older than its write if an older backup was restored: the invoice itself is asked.
  for (const [qboId, proofs] of Map.groupBy(findMissing(attached, files), ({ qbo_id }) => qbo_id))
    gone.push(...findMissing(proofs, (await books(realmId).findAttachments(qboId)).data));
  return {
    subjects: null,
    differences: gone.map(({ id, invoice, file_name: file }) => ({
      subject: id,
      code: "file_gone",
      params: { invoice, file },
    })),
  };
}

const findMissing = (proofs: readonly Attached[], files: readonly Attachable[]): Attached[] =>
  proofs.filter(
    (proof) => !files.some((file) => file.FileName === proof.file_name && isAttachedTo(file, proof.qbo_id)),
  );
