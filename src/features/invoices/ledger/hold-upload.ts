import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import * as runs from "#platform/runs/fence.ts";
import type { Held } from "#features/invoices/ledger/store-entries.ts";

/** Runs a write on an upload's ledger in one transaction, refused when another process has taken its run. @throws LeaseLost */
export const withFence = <T>(ctx: Ctx, held: Held, write: (tx: Db) => Promise<T>): Promise<T> =>
  runs.withFence(ctx.db, { realmId: held.realmId, id: held.runId, fence: held.fence }, write);
