import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { prepareThreads } from "#features/invoices/index.ts";
import { ConfigFaults, readConfig, type Config } from "#platform/config/read-config.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { createLog } from "#platform/log.ts";
import { createMetrics } from "#platform/metrics.ts";
import { findStartFaults } from "./find-start-faults.ts";
import { printWelcome } from "./print-welcome.ts";
import { runRoles, type Stops } from "./run-roles.ts";
import { runSimulators } from "./run-simulators.ts";
import { stopAll, stopOnSignals } from "./stop-on-signals.ts";
import { watchEventLoop } from "./watchdog.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Starts the product in this process: database, simulators, web and worker, as configured. */
async function start(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const config = readConfig(process.env);
  const faults = await findStartFaults(config);
  if (faults.length > 0) throw new ConfigFaults(faults);
  // For the threads that read workbooks; `npm start` sets it for this process.
  enableCompileCache(join(config.dataDir, "compiled"));
  watchEventLoop();
  const stops: Stops = [];
  const ending = new AbortController();
  const running = run(config, stops, ending.signal);
  stopOnSignals(stops, { running, ending });
  try {
    await running;
  } catch (error) {
    // A signal ended the start; that is not a failure.
    if (ending.signal.aborted) return;
    await stopAll(stops);
    throw error;
  }
}

/** @param signal aborted when the start should stop at its next step */
async function run(config: Config, stops: Stops, signal: AbortSignal): Promise<void> {
  const log = createLog(config.logLevel);
  const [connectionString] = await Promise.all([
    openDatabase(config, stops, log),
    openSimulators(config, stops),
  ]);
  signal.throwIfAborted();
  await runRoles({ config, connectionString, log, metrics: createMetrics(), stops, signal });
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
  // The simulators belong to the web process; a separate worker finds them at their port.
  if (!config.simulators || !config.roles.includes("web")) return;
  const stop = await runSimulators({ ...config.simulators, dataDir: config.dataDir });
  stops.push({ name: "simulators", stop });
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
