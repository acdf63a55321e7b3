import { join } from "node:path";
import { systemClock } from "#platform/clock.ts";
import { ConfigFaults, type Config } from "#platform/config/read-config.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import {
  connectDatabase,
  MIGRATION_LIMITS,
  REQUEST_LIMITS,
  WORK_LIMITS,
  type DatabaseLimits,
} from "#platform/db/connect.ts";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { systemIds } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics.ts";
import { createApplication, type Application } from "./application.ts";
import { findKindFault } from "./find-database-fault.ts";
import { migrate } from "./migrate.ts";
import { startWorker } from "./run-worker.ts";
import { openSealingKeys, sealAgain } from "./sealing-keys.ts";
import { seedDemo } from "./seed-demo.ts";
import { createWebServer } from "./web-server.ts";

const PAGES_FOLDER = join(import.meta.dirname, "../../dist/web");

/**
 * Steps that undo the start, in reverse order. Before them, `finish` lets work in progress complete, unless
 * an immediate end is requested.
 */
export type Stops = {
  name: string;
  stop(): Promise<unknown>;
  finish?: (hurry: AbortSignal) => Promise<void>;
}[];

type Start = {
  config: Config;
  connectionString: string;
  log: Log;
  /** Counts of this process, for all its roles. */
  metrics: Metrics;
  stops: Stops;
  /** Aborted when the start should stop at its next step. */
  signal: AbortSignal;
};

/**
 * Prepares the database and runs the roles of this process on it.
 * @throws ConfigFaults if the database or its keys don't match this configuration
 */
export async function runRoles(start: Start): Promise<void> {
  const { config, signal } = start;
  const sealingKeys = await prepareDatabase(start);
  signal.throwIfAborted();
  if (config.roles.includes("web")) await runWeb(start, sealingKeys);
  signal.throwIfAborted();
  if (config.roles.includes("worker")) await runWorker(start, sealingKeys);
}

async function prepareDatabase({ config, connectionString, log }: Start): Promise<SealingKeys> {
  await migrate({ config, connectionString, log });
  const { db, close } = connectDatabase(connectionString, log, MIGRATION_LIMITS);
  try {
    const kindFault = await findKindFault(db, config);
    if (kindFault) throw new ConfigFaults([kindFault]);
    return await openSealingKeys(config, db);
  } finally {
    await close();
  }
}

async function runWeb(start: Start, sealingKeys: SealingKeys): Promise<void> {
  const { config, connectionString, stops, signal } = start;
  const application = await openApplication(start, { limits: REQUEST_LIMITS, sealingKeys });
  if (config.simulators) await seedDemo(application);
  signal.throwIfAborted();
  const web = await createWebServer(application, {
    pagesFolder: PAGES_FOLDER,
    changes: await createChangeFeed(connectionString, application.ctx),
  });
  await web.listen({ port: config.port, host: config.host });
  stops.push({ name: "web", stop: () => web.close(), finish: (hurry) => web.finishChanges(hurry) });
}

async function runWorker(start: Start, sealingKeys: SealingKeys): Promise<void> {
  const { log, stops } = start;
  const application = await openApplication(start, { limits: WORK_LIMITS, sealingKeys });
  const stop = await startWorker({ application, connectionString: start.connectionString });
  stops.push({ name: "worker", stop });
  void sealAgain(application).then(
    (renewed) => renewed > 0 && log.warn({ renewed }, "Tokens were sealed with the first key"),
    (error: unknown) => log.error({ err: error }, "Tokens could not be sealed with the first key"),
  );
}

/** Each role has its own connections, so that neither waits for the other's. */
async function openApplication(
  { config, connectionString, log, metrics, stops }: Start,
  { limits, sealingKeys }: { limits: DatabaseLimits; sealingKeys: SealingKeys },
): Promise<Application> {
  const { db, close } = connectDatabase(connectionString, log, {
    ...limits,
    program: config.release,
  });
  stops.push({ name: "database connections", stop: close });
  const ctx = { db, clock: systemClock, ids: systemIds, log };
  const application = await createApplication({ config, ctx, sealingKeys, metrics });
  stops.push({ name: "replica connections", stop: application.longReads.close });
  return application;
}
