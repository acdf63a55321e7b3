import { exportRuns } from "#features/companies/index.ts";
import { LABEL_SLOTS } from "#features/labels/index.ts";
import { releaseLeasesHeldBy } from "#platform/outbound/store.ts";
import { dispatchRuns, type RunPool } from "#platform/runs/dispatch-runs.ts";
import { exportCompany } from "./company-data/export-company.ts";
import type { Application } from "./application.ts";

type Options = {
  application: Application;
  connectionString: string;
  /** Name of this worker, unique for each start. */
  holder?: string;
};

/** More than the number of the system's lanes, so that no run of the system waits for another. */
const SYSTEM_SLOTS = 16;
/** Companies whose packages are followed at once: their runs mostly wait for the budget of calls to UPS. */
const TRACKING_SLOTS = 4;
/**
 * Webhooks that are posted to at once: a receiver that hangs holds one for 10 s an attempt. More than a few companies
 * have, and each is one socket and no thread.
 */
const WEBHOOK_SLOTS = 64;

/**
 * Works on all runs in this process. Invoices, labels, packages, webhooks and the system have separate slots, so
 * that none of them waits for another.
 * @returns a function that lets runs finish their step, then stops
 */
export function startWorker(options: Options): Promise<() => Promise<void>> {
  const { config, runs, labelRuns, trackingRuns, webhookRuns, systemRuns } = options.application;
  return startPools(options, [
    { runs, slots: config.runs.slots },
    { runs: labelRuns, slots: LABEL_SLOTS },
    { runs: trackingRuns, slots: TRACKING_SLOTS },
    { runs: webhookRuns, slots: WEBHOOK_SLOTS },
    { runs: [...systemRuns, ...bindExports(options)], slots: SYSTEM_SLOTS },
  ]);
}

/** Makes labels in this process, and nothing else. */
export const startLabels = (options: Options): Promise<() => Promise<void>> =>
  startPools(options, [{ runs: options.application.labelRuns, slots: LABEL_SLOTS }]);

function startPools({ application, connectionString, holder }: Options, pools: readonly RunPool[]) {
  const { ctx, config, metrics, recordFailure } = application;
  return dispatchRuns({
    ...ctx,
    connectionString,
    pools,
    holder: holder ?? application.holder,
    times: config.runs,
    onEnding: metrics.runEnding,
    onFailure: recordFailure,
    onDead: (holders) => releaseLeasesHeldBy(ctx.db, holders),
  });
}

/** Exports of all data read the database by connections of their own. */
function bindExports({ application, connectionString }: Options) {
  const { ctx, config, connect, invoices, longReads } = application;
  const { objects } = invoices;
  return exportRuns({
    ...connect,
    objects,
    exportRetentionDays: config.exportRetentionDays,
    writeExport: (company, onFile) =>
      exportCompany({ config, connectionString, longReads, ctx, objects }, company, onFile),
  });
}
