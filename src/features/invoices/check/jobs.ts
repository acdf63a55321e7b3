import * as z from "zod";
import type { Db } from "#platform/db/connect.ts";
import { addJob, defineJob, type Job } from "#platform/jobs/define-job.ts";
import { removeOldCheck } from "#features/invoices/check/remove-check.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";

type CheckIds = { realmId: string; uploadId: string };

const DAY_MS = 24 * 3_600_000;
/** What was checked and neither posted nor dropped is kept this long: its file is a company's business. */
const KEPT_MS = 30 * DAY_MS;

export const removeCheckJob: Job<CheckIds, InvoicesCtx> = defineJob({
  kind: "invoices.remove-check",
  payload: z.object({ realmId: z.string(), uploadId: z.uuid() }),
  maxAttempts: 8,
  run: async (ctx: InvoicesCtx, payload) => {
    const isAtWork = await removeOldCheck(ctx, { realmId: payload.realmId, id: payload.uploadId });
    if (isAtWork) await addRemoveCheck(ctx.db, payload, new Date(ctx.clock.now().getTime() + DAY_MS));
  },
});

/** Has a check removed some day, unless it is posted or dropped before. */
export const removeCheckLater = (tx: Db, ids: CheckIds, checkedAt: Date): Promise<void> =>
  addRemoveCheck(tx, ids, new Date(checkedAt.getTime() + KEPT_MS));

const addRemoveCheck = (db: Db, ids: CheckIds, runAt: Date): Promise<void> =>
  addJob(db, removeCheckJob, { payload: ids, key: `remove-check:${ids.uploadId}`, runAt });
