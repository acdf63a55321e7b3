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
    ...ctx,
    connectionString: options.connectionString,
    runs,
    holder: options.holder ?? holder,
    times: config.runs,
    onDead: (holders) => releaseLeasesOf(ctx.db, holders),
  });
  return async () => {
    await Promise.all([stopRuns(), stopJobs()]);
  };
}
