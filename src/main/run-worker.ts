import { exportRuns } from "#features/companies/index.ts";
import { LABEL_SLOTS } from "#features/labels/index.ts";
import { releaseLeasesHeldBy } from "#platform/outbound/store.ts";
import { dispatchRuns } from "#platform/runs/dispatch-runs.ts";
import { exportCompany } from "./company-data/export-company.ts";
import type { Application } from "./application.ts";

type Options = {
  application: Application;
  connectionString: string;
  /** Name of this worker, unique for each start. */
  holder?: string;
};

/** More than the number of the system's lanes, so that no run of the system waits for another. */
const SYSTEM_SLOTS = 15;
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
export async function startWorker(options: Options): Promise<() => Promise<void>> {
  const { ctx, config, runs, systemRuns, webhookRuns, holder } = options.application;
  const stops = await Promise.all([
    dispatchRuns({ ...shared(options), runs, holder: options.holder ?? holder, times: config.runs }),
    startLabels(options),
    startTracking(options),
    dispatchRuns({
      ...shared(options),
      runs: webhookRuns,
      holder: ctx.ids.uuid(),
      times: { ...config.runs, slots: WEBHOOK_SLOTS },
    }),
    dispatchRuns({
      ...shared(options),
      runs: [...systemRuns, ...bindExports(options)],
      holder: ctx.ids.uuid(),
      times: { ...config.runs, slots: SYSTEM_SLOTS },
      findsDead: false,
    }),
  ]);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Exports of all data read the database by connections of their own. */
function bindExports({ application, connectionString }: Options) {
  const { ctx, config, connect, invoices } = application;
  const { objects } = invoices;
  return exportRuns({
    ...connect,
    objects,
    exportRetentionDays: config.exportRetentionDays,
    writeExport: (company, onFile) =>
      exportCompany({ config, connectionString, ctx, objects }, company, onFile),
  });
}

/** Makes labels in this process, and nothing else. */
export function startLabels(options: Options): Promise<() => Promise<void>> {
  const { ctx, config, labelRuns } = options.application;
  return dispatchRuns({
    ...shared(options),
    runs: labelRuns,
    holder: ctx.ids.uuid(),
    times: { ...config.runs, slots: LABEL_SLOTS },
    findsDead: false,
  });
}

/** Follows packages in this process. */
function startTracking(options: Options): Promise<() => Promise<void>> {
  const { config, trackingRuns, tracking } = options.application;
  return dispatchRuns({
    ...shared(options),
    runs: trackingRuns,
    holder: tracking.upsBudget.holder,
    times: { ...config.runs, slots: TRACKING_SLOTS },
    findsDead: false,
  });
}

const shared = ({ application: { ctx, metrics, recordFailure }, connectionString }: Options) => ({
  ...ctx,
  connectionString,
  onEnding: metrics.runEnding,
  onFailure: recordFailure,
  onDead: (holders: readonly string[]) => releaseLeasesHeldBy(ctx.db, holders),
});
