import { sql } from "kysely";
import type { CarrierCtx } from "#features/carrier/index.ts";
import { removeOldExports, type ConnectCtx } from "#features/companies/index.ts";
import { forgetMails } from "#features/notices/index.ts";
import { removeSessions } from "#features/identity/index.ts";
import { removeOldMessages } from "#features/legal/index.ts";
import {
  removeOldChecks,
  removeOldFiles,
  removeOrphanFiles,
  type InvoicesCtx,
} from "#features/invoices/index.ts";
import { removeOldUploads, removeOrphanSheets, type LabelsCtx } from "#features/labels/index.ts";
import { removeOldRecordings, removeOldReports, type TelemetryCtx } from "#features/telemetry/index.ts";
import type { FoldersCtx } from "#features/orders/index.ts";
import { removeOldAnswers, removeOldWebhookMessages } from "#features/programs/index.ts";
import { removeOldInbox } from "#features/tracking/index.ts";
import type { Config } from "#platform/config/read-config.ts";
import { bindRun, defineRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { sealAgain } from "./sealing-keys.ts";
import { DAY_MS } from "#platform/time.ts";

const sweepRun = defineRun({ kind: "system.sweep", lane: () => "system:sweep", every: "day", at: "03:17" });

/** Long enough for questions about an invitation. */
const MAIL_RETENTION_MS = 90 * DAY_MS;

type SweepCtx = {
  config: Config;
  connect: ConnectCtx;
  carrier: CarrierCtx;
  folders: FoldersCtx;
  invoices: InvoicesCtx;
  labels: LabelsCtx;
  telemetry: TelemetryCtx;
};

/**
 * Removes expired data: sessions, kept answers, messages of webhooks and of vendors, error reports, recordings, checks, refused label uploads, files of old uploads, unneeded files; renews
 * old seals.
 */
async function sweep(
  { config, connect, carrier, folders, invoices, labels, telemetry }: SweepCtx,
  { run, stop }: RunWork,
): Promise<Ending> {
  await removeSessions(connect);
  await removeOldAnswers(connect);
  await removeOldMessages(connect);
  await removeOldReports(telemetry);
  await removeOldRecordings(telemetry);
  await removeOldChecks(invoices);
  await removeOldUploads(labels);
  await labels.documents.removeOld();
  await removeOldWebhookMessages(connect);
  await removeOldInbox(connect);
  await sealAgain({ connect, carrier, folders });
  await forgetMails(connect.db, new Date(connect.clock.now().getTime() - MAIL_RETENTION_MS));
  if (!(await invoices.objects.belongsTo(await findInstallationId(invoices)))) {
    invoices.log.warn("The stored files belong to another database, so none of them is removed");
    return { state: "done" };
  }
  await removeOldExports({ ...connect, objects: invoices.objects });
  run.noteProgress?.();
  const old = await removeOldFiles(invoices, { retentionDays: config.uploadRetentionDays, stop });
  const orphans = (await removeOrphanFiles(invoices, stop)) + (await removeOrphanSheets(labels));
  if (old + orphans > 0) invoices.log.info({ old, orphans }, "Stored files were removed");
  return { state: stop.aborted ? "queued" : "done" };
}

export const bindSweep = (ctx: SweepCtx) => bindRun(sweepRun, sweep, ctx);

/** Finds the id of this database; empty if the product never ran on it. */
export async function findInstallationId({ db }: Pick<InvoicesCtx, "db">): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from installation`.execute(db);
  return rows[0]?.id ?? "";
}
