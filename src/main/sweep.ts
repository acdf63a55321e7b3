import { sql } from "kysely";
import * as z from "zod";
import { renewSeals, type ConnectCtx } from "#features/companies/index.ts";
import { removeMails } from "#features/notices/index.ts";
import { removeSessions } from "#features/identity/index.ts";
import { removeOldMessages } from "#features/legal/index.ts";
import {
  removeOldChecks,
  removeOldFiles,
  removeOrphanFiles,
  type InvoicesCtx,
} from "#features/invoices/index.ts";
import { removeOldRequests, removeOrphanSheets, type LabelsCtx } from "#features/labels/index.ts";
import type { Config } from "#platform/config/read-config.ts";
import { bindJob } from "#platform/jobs/define-job.ts";

/** Once a day, caught up on at the next start by a machine that was off. */
const sweepJob = { kind: "maintenance.sweep", payload: z.object({}), cron: "17 3 * * *" };

/** Long enough to ask what became of an invitation. */
const MAIL_RETENTION_MS = 90 * 24 * 3_600_000;

type SweepCtx = { config: Config; connect: ConnectCtx; invoices: InvoicesCtx; labels: LabelsCtx };

/**
 * Removes what has outlived its use: sessions, checks, requests for labels, files of old uploads, files that nobody needs;
 * renews old seals.
 */
async function sweep(
  { config, connect, invoices, labels }: SweepCtx,
  _payload: object,
  stop: AbortSignal,
): Promise<void> {
  await removeSessions(connect);
  await removeOldMessages(connect);
  await removeOldChecks(invoices);
  await removeOldRequests(labels);
  await renewSeals(connect);
  await removeMails(connect.db, new Date(connect.clock.now().getTime() - MAIL_RETENTION_MS));
  if (!(await invoices.objects.belongsTo(await findInstallationId(invoices)))) {
    invoices.log.warn("The stored files belong to another database, so none of them is removed");
    return;
  }
  const old = await removeOldFiles(invoices, { retentionDays: config.uploadRetentionDays, stop });
  const orphans = (await removeOrphanFiles(invoices, stop)) + (await removeOrphanSheets(labels));
  if (old + orphans > 0) invoices.log.info({ old, orphans }, "Stored files were removed");
}

export const bindSweep = (ctx: SweepCtx) => bindJob(sweepJob, sweep, ctx);

async function findInstallationId({ db }: InvoicesCtx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from installation`.execute(db);
  return rows[0]?.id ?? "";
}
