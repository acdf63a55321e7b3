import { VENDOR } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { createsOf } from "#features/invoices/ledger/store-writes.ts";
import { createsIn } from "#features/invoices/post/post-invoices.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { saveDecisions, type Decided } from "#platform/writes/save-decisions.ts";
import { findInDoubt, type InDoubt } from "#platform/writes/store.ts";

/** Unresolved invoices are looked for this far back, and this many of them. */
const LOOK_BACK_MS = 30 * 24 * 3_600_000;
const MAX_UNRESOLVED = 200;

/**
 * Looks once in the books for the invoices of a company whose end nobody knows, and settles as posted those that are
 * surely there. Before an upload is planned, so that nothing of it is sent twice.
 */
export async function findUnresolvedInvoices(ctx: InvoicesCtx, realmId: string): Promise<void> {
  const since = ctx.clock.now().getTime() - LOOK_BACK_MS;
  const inDoubt = await findInDoubt(ctx.db, { realmId, vendor: VENDOR }, MAX_UNRESOLVED);
  const creates = inDoubt.filter(
    ({ isUnresolved, write }) =>
      isUnresolved && write.operation === "create" && (write.lastSentAt?.getTime() ?? 0) >= since,
  );
  for (const [id, writes] of Map.groupBy(creates, ({ subject }) => subject))
    await findOfUpload(ctx, { realmId, id }, writes);
}

async function findOfUpload(ctx: InvoicesCtx, upload: UploadId, writes: readonly InDoubt[]): Promise<void> {
  const operation = createsIn(ctx, upload);
  const bodies = await operation.loadBodies(writes.map(({ write }) => write));
  const items = writes.flatMap(({ write }) => {
    const body = bodies.get(write.part);
    return body ? [{ write, body }] : [];
  });
  const found = await operation.lookUp(items);
  const decided = items.flatMap(({ write }): Decided[] => {
    const evidence = found.get(write.part);
    if (evidence?.kind !== "found") return [];
    return [{ write, evidence, decision: { kind: "settle", outcome: "done", answer: evidence.answer } }];
  });
  if (decided.length === 0) return;
  const about = { command: createsOf(upload), vendor: VENDOR };
  const now = ctx.clock.now();
  await ctx.db
    .transaction()
    .execute((tx) =>
      withSummary(tx, upload, () => saveDecisions(tx, about, { decided, now, from: ["unresolved"] })),
    );
}
