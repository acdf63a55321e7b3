import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { prepareThreads } from "#features/invoices/index.ts";
import { systemClock } from "#platform/clock.ts";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import type { Config } from "#platform/config/schema.ts";
import { connectDatabase } from "#platform/db/connect.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { systemIds } from "#platform/ids.ts";
import { migrateJobs, runJobs } from "#platform/jobs/run-jobs.ts";
import { createLog } from "#platform/log.ts";
import { createApplication, createWebServer } from "./application.ts";
import { findKindFault } from "./find-kind-fault.ts";
import { findStartFaults } from "./find-start-faults.ts";
import { printWelcome } from "./print-welcome.ts";
import { runSimulators } from "./run-simulators.ts";
import { loadSealingKeys } from "./sealing-keys.ts";
import { seedDemo } from "./seed-demo.ts";

const ROOT = join(import.meta.dirname, "../..");
const STOP_WITHIN_MS = 4_500;
/** One step that hangs must leave time for those after it: the database and the simulators end in good order. */
const STEP_WITHIN_MS = 1_200;

/** Steps that undo what was started, last started first. */
type Stops = { name: string; stop(): Promise<unknown> }[];

/** Starts the product in this process: database, simulators, web and worker, as the configuration says. */
async function start(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const config = readConfig(process.env);
  const faults = await findStartFaults(config);
  if (faults.length > 0) throw new ConfigFaults(faults);
  // For the threads that read workbooks; `npm start` sets it for this process from its first line on.
  enableCompileCache(join(config.dataDir, "compiled"));
  const stops: Stops = [];
  const ending = new AbortController();
  const running = run(config, stops, ending.signal);
  stopOnSignals(stops, { running, ending });
  try {
    await running;
  } catch (error) {
    // Whoever asked for the end sees to it; a start that breaks off because of that is no failure.
    if (ending.signal.aborted) return;
    await stopAll(stops);
    throw error;
  }
}

/** @param signal aborted when the start is to break off at its next step */
async function run(config: Config, stops: Stops, signal: AbortSignal): Promise<void> {
  const log = createLog(config.logLevel);
  const [connectionString] = await Promise.all([
    openDatabase(config, stops, log),
    openSimulators(config, stops),
  ]);
  signal.throwIfAborted();
  const database = connectDatabase(connectionString, log);
  stops.push({ name: "database connections", stop: () => database.close() });
  await migrateDatabase(database.db);
  await migrateJobs(database.pool);
  const kindFault = await findKindFault(database.db, config);
  if (kindFault) throw new ConfigFaults([kindFault]);
  const ctx = { db: database.db, clock: systemClock, ids: systemIds, log };
  const application = await createApplication({ config, ctx, sealingKeys: await loadSealingKeys(config) });
  if (config.simulators) await seedDemo(application);
  signal.throwIfAborted();
  if (config.roles.includes("web")) {
    const web = await createWebServer(application, {
      pagesFolder: join(ROOT, "dist/web"),
      changes: await createChangeFeed(connectionString, ctx),
    });
    await web.listen({ port: config.port, host: config.host });
    stops.push({ name: "web", stop: () => web.close() });
  }
  if (config.roles.includes("worker")) {
    const stop = await runJobs({ ...ctx, ...application, pool: database.pool });
    stops.push({ name: "worker", stop });
  }
  printWelcome(config);
  await prepareThreads();
}

async function openDatabase(
  config: Config,
  stops: Stops,
  log: ReturnType<typeof createLog>,
): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    onExit: (reason) => fail(`The embedded database ended: ${reason}. Start again; no data is lost.`),
  });
  stops.push({ name: "embedded database", stop: () => embedded.stop() });
  return embedded.connectionString;
}

async function openSimulators(config: Config, stops: Stops): Promise<void> {
  if (!config.simulators) return;
  const stop = await runSimulators({ intuitPort: config.simulators.intuitPort, dataDir: config.dataDir });
  stops.push({ name: "simulators", stop });
}

type Start = { running: Promise<void>; ending: AbortController };

function stopOnSignals(stops: Stops, { running, ending }: Start): void {
  const onSignal = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    // A vendor that hangs must not keep people waiting; what it was doing is in the ledger and is resumed.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    // A start breaks off between its steps: a database that is just being made would be left half made.
    const reached = running.catch(() => undefined);
    void reached.then(() => stopAll(stops)).then(() => process.exit(0));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

async function stopAll(stops: Stops): Promise<void> {
  for (const step of stops.reverse()) {
    try {
      await Promise.race([step.stop(), wait(STEP_WITHIN_MS)]);
    } catch (error) {
      process.stderr.write(`Stopping ${step.name}: ${String(error)}\n`);
    }
  }
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

try {
  await start();
} catch (error) {
  if (error instanceof ConfigFaults) fail(error.sentences.join("\n"));
  if (error instanceof EmbeddedPostgresFailure) fail(error.message);
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
