import { sql } from "kysely";
import * as z from "zod";
import { renewSeals, type ConnectCtx } from "#features/companies/index.ts";
import { removeSessions } from "#features/identity/index.ts";
import {
  removeOldChecks,
  removeOldFiles,
  removeOrphanFiles,
  type InvoicesCtx,
} from "#features/invoices/index.ts";
import type { Config } from "#platform/config/schema.ts";
import { defineJob, handleJob } from "#platform/jobs/define-job.ts";

/** Once a day in UTC, caught up on at the next start by a machine that was off. */
export const SWEEP_SCHEDULE = { kind: "maintenance.sweep", cron: "17 3 * * *" };

const sweepJob = defineJob({ kind: SWEEP_SCHEDULE.kind, payload: z.object({}), maxAttempts: 3 });

type SweepCtx = { config: Config; connect: ConnectCtx; invoices: InvoicesCtx };

/** Removes what has outlived its use: sessions, checks, files of old uploads, files that no upload needs; renews old seals. */
export const sweepHandler = handleJob(sweepJob, async (ctx: SweepCtx, _payload, { stop }) => {
  const { config, connect, invoices } = ctx;
  await removeSessions(connect);
  await removeOldChecks(invoices);
  await renewSeals(connect);
  if (!(await invoices.objects.belongsTo(await findInstallationId(invoices)))) {
    invoices.log.warn("The stored files belong to another database, so none of them is removed");
    return;
  }
  const old = await removeOldFiles(invoices, { retentionDays: config.uploadRetentionDays, stop });
  const orphans = await removeOrphanFiles(invoices, stop);
  if (old + orphans > 0) invoices.log.info({ old, orphans }, "Stored files were removed");
});

async function findInstallationId({ db }: InvoicesCtx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from installation`.execute(db);
  return rows[0]?.id ?? "";
}
