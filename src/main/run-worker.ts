import { LABEL_SLOTS } from "#features/labels/index.ts";
import type { Database } from "#platform/db/connect.ts";
import { runJobs } from "#platform/jobs/run-jobs.ts";
import { releaseLeasesOf } from "#platform/outbound/store.ts";
import { dispatchRuns } from "#platform/runs/dispatch-runs.ts";
import type { Application } from "./application.ts";

type Options = {
  application: Application;
  pool: Database["pool"];
  connectionString: string;
  /** Names this worker among all; each start has a name of its own. */
  holder?: string;
};

/** Works on runs and jobs in this process. @returns a function that lets them finish their step and stops */
export async function startWorker(options: Options): Promise<() => Promise<void>> {
  const { ctx, config, jobs, runs, holder } = options.application;
  const stopJobs = await runJobs({ ...ctx, pool: options.pool, jobs });
  const stopRuns = await dispatchRuns({
    ...sharedOf(options),
    runs,
    holder: options.holder ?? holder,
    times: config.runs,
  });
  const stopLabels = await startLabels(options);
  return async () => {
    await Promise.all([stopRuns(), stopLabels(), stopJobs()]);
  };
}

/**
 * Makes labels in this process, in slots of their own: whoever waits for them waits for no upload of invoices, which mostly
 * wait for a vendor.
 */
export function startLabels(options: Omit<Options, "pool">): Promise<() => Promise<void>> {
  const { ctx, config, labelRuns } = options.application;
  return dispatchRuns({
    ...sharedOf(options),
    runs: labelRuns,
    holder: ctx.ids.uuid(),
    times: { ...config.runs, slots: LABEL_SLOTS },
  });
}

const sharedOf = ({ application: { ctx }, connectionString }: Omit<Options, "pool">) => ({
  ...ctx,
  connectionString,
  onDead: (holders: readonly string[]) => releaseLeasesOf(ctx.db, holders),
});
