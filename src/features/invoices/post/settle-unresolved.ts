import { VENDOR } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { createCommand } from "#features/invoices/ledger/store-writes.ts";
import { createOperation } from "#features/invoices/post/write-invoices.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { saveDecisions, search, type Decided } from "#platform/writes/resolve-writes.ts";
import { endSearches, findInDoubt, type Write } from "#platform/writes/store.ts";
import { DAY_MS } from "#platform/time.ts";

/** Maximum age and number of unresolved invoices that are looked up. */
const LOOK_BACK_MS = 30 * DAY_MS;
const MAX_UNRESOLVED = 200;

/**
 * Looks up the unresolved invoices of a company, each once after its last call, and settles those that are
 * certainly in the books as posted. Runs before an upload is planned, so that nothing is sent twice.
 */
export async function settleUnresolved(ctx: InvoicesCtx, realmId: string): Promise<void> {
  const now = ctx.clock.now();
  const { vendorLimitMs, indexLagMs } = ctx.writePolicy;
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  const creates = await findInDoubt(
    ctx.db,
    { realmId, vendor: VENDOR },
    { limit: MAX_UNRESOLVED, unsearched: { operation: "create", since } },
  );
  for (const [id, writes] of Map.groupBy(creates, ({ subject }) => subject)) {
    const upload = { realmId, id };
    const operation = createOperation(ctx, upload);
    const bodies = await operation.loadBodies(writes.map(({ write }) => write));
    const items = writes.flatMap(({ write }) => {
      const body = bodies.get(write.part);
      return body ? [{ write, body }] : [];
    });
    const command = createCommand(upload);
    const found = await search(ctx, { operation, command }, () => operation.lookUp(items));
    if (!found) continue;
    const decided = items.flatMap(({ write }): Decided[] => {
      const evidence = found.get(write.part);
      if (evidence?.kind !== "found") return [];
      return [{ write, evidence, decision: { kind: "settle", outcome: "done", answer: evidence.answer } }];
    });
    const isFinal = ({ lastSentAt }: Write) =>
      (lastSentAt?.getTime() ?? 0) + vendorLimitMs + indexLagMs < now.getTime();
    const settled = new Set(decided.map(({ write }) => write.part));
    const ended = items.flatMap(({ write }) =>
      isFinal(write) && !settled.has(write.part) ? [write.part] : [],
    );
    if (ended.length > 0) await endSearches(ctx.db, command, { parts: ended, now });
    if (decided.length === 0) continue;
    const about = { command, vendor: VENDOR };
    const save = { decided, now: ctx.clock.now(), from: ["unresolved"] as const };
    await ctx.db.transaction().execute((tx) => withSummary(tx, upload, () => saveDecisions(tx, about, save)));
  }
}
