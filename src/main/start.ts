import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { prepareThreads } from "#features/invoices/index.ts";
import { ConfigFaults, readConfig, type Config } from "#platform/config/read-config.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { FINISH_CHANGES_MS } from "#platform/http/limits.ts";
import { createLog } from "#platform/log.ts";
import { findStartFaults } from "./find-start-faults.ts";
import { printWelcome } from "./print-welcome.ts";
import { runRoles, type Stops } from "./run-roles.ts";
import { runSimulators } from "./run-simulators.ts";

const ROOT = join(import.meta.dirname, "../..");
const STOP_WITHIN_MS = 4_500;
/** One step that hangs must leave time for those after it: the database and the simulators end in good order. */
const STEP_WITHIN_MS = 1_200;

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
  await runRoles({ config, connectionString, log, stops, signal });
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
  // The simulators belong to the web process; a worker beside it finds them at their port.
  if (!config.simulators || !config.roles.includes("web")) return;
  const stop = await runSimulators({ ...config.simulators, dataDir: config.dataDir });
  stops.push({ name: "simulators", stop });
}

/** Ctrl-C ends at once; SIGTERM, as service managers send it, lets uploads finish first, until Ctrl-C or its time. */
function stopOnSignals(
  stops: Stops,
  { running, ending }: { running: Promise<void>; ending: AbortController },
): void {
  const hurry = new AbortController();
  const onSignal = async () => {
    if (ending.signal.aborted) return;
    ending.abort();
    await Promise.all(stops.flatMap(({ finish }) => finish?.(hurry.signal) ?? []));
    // A vendor that hangs must not keep people waiting; what it was doing is in the ledger and is resumed.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    // A start breaks off between its steps: a database that is just being made would be left half made.
    await running.catch(() => undefined);
    await stopAll(stops);
    process.exit(0);
  };
  process.on("SIGINT", () => {
    hurry.abort();
    void onSignal();
  });
  process.on("SIGTERM", () => {
    setTimeout(() => hurry.abort(), FINISH_CHANGES_MS).unref();
    void onSignal();
  });
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
