import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { folderFailure, EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { DATABASE_USER, initialize } from "#platform/db/embedded/initialize.ts";
import { launch } from "#platform/db/embedded/launch.ts";
import { becomeOwner, endOwnership, hasOtherOwner, withStartLock } from "#platform/db/embedded/owner.ts";
import { preparePlace, type Place } from "#platform/db/embedded/place.ts";
import {
  clearDamagedLock,
  findPostmaster,
  readPostmaster,
  stopPostmaster,
  type Postmaster,
} from "#platform/db/embedded/postmaster.ts";
import { isAlive, sendSignal } from "#platform/db/embedded/processes.ts";
import type { RunAs } from "#platform/db/embedded/run-as.ts";
import { logFilePath } from "#platform/db/embedded/run-program.ts";
import { SOCKET_PORT } from "#platform/db/embedded/socket-folder.ts";
import type { Log } from "#platform/log.ts";

type Options = {
  /** The product's data folder; the database is in its `postgres` subfolder. */
  dataDir: string;
  log: Log;
  /** Called once if the server exits unexpectedly; the reason completes a sentence. */
  onExit?: (reason: string) => void;
  /** How to run it; by default depends on the current user and the folder's owner. */
  runAs?: RunAs;
  /** Server settings that override ours, for tests that need no durability. */
  settings?: Record<string, string>;
};

/** Crash recovery takes a while on a slow disk. */
const ANSWER_WITHIN_MS = 120_000;

/**
 * Runs the PostgreSQL from the installed packages, on a Unix socket only, flushing every commit. Adopts a
 * server that a killed process left running, removes a stale lock file, and recovers from a crash.
 * @throws EmbeddedPostgresFailure one sentence for the operator
 */
export async function startEmbeddedPostgres(options: Options) {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresFailure(
      "On Windows set DATABASE_URL to a PostgreSQL of your own, or start inside WSL.",
    );
  }
  try {
    mkdirSync(options.dataDir, { recursive: true });
    const home = join(realpathSync(resolve(options.dataDir)), "postgres");
    mkdirSync(home, { recursive: true, mode: 0o711 });
    const place = await preparePlace(home, options.runAs);
    if (place.home !== home)
      options.log.warn({ folder: place.home }, "The database lies outside the data folder");
    return await withStartLock(place.home, () => adoptOrStart(place, options));
  } catch (error) {
    throw error instanceof EmbeddedPostgresFailure ? error : folderFailure(options.dataDir, error);
  }
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof adoptOrStart>>;

async function adoptOrStart(place: Place, options: Options) {
  const { home, dataFolder } = place;
  await clearDamagedLock(dataFolder);
  const found = await findAnswering(dataFolder);
  const shared = found !== null && hasOtherOwner(home);
  const socketFolder = found?.socketFolder ?? place.socketFolder;
  if (found) options.log.info({ pid: found.pid, shared }, "Adopted the embedded PostgreSQL that was running");
  else await initialize(place);
  const pid = found?.pid ?? (await launchPatiently(place, options.settings));
  if (!shared) becomeOwner(home);
  const guard = guardServer({ place, pid, options });
  await ensureDatabase(socketFolder);
  /** Stops the server within 5 seconds, unless another living process owns it. Close the pools first. */
  const stop = async () => {
    if (!guard.release() || hasOtherOwner(home)) return;
    await stopPostmaster(pid);
    endOwnership(home);
    if (!socketFolder.startsWith(home)) rmSync(socketFolder, { recursive: true, force: true });
  };
  return {
    /** Its `host` parameter is the folder of a Unix socket. */
    connectionString: databaseUrl(socketFolder, DATABASE_USER),
    /** Whether the server was already running: left by a killed process, or owned by a living one. */
    adopted: found !== null,
    pid,
    stop,
  };
}

/**
 * Finds the running server of a database folder and waits until it answers, because it may be recovering.
 * Null if there is none, or if it was shutting down.
 */
async function findAnswering(dataFolder: string): Promise<Postmaster | null> {
  const found = findPostmaster(dataFolder);
  if (!found) return null;
  for (const end = Date.now() + ANSWER_WITHIN_MS; Date.now() < end; await sleep(50)) {
    const answers = ensureDatabase(found.socketFolder).then(
      () => true,
      () => false,
    );
    if (await answers) return found;
    if (!isAlive(found.pid)) return null;
  }
  throw new EmbeddedPostgresFailure(
    `The PostgreSQL of ${dataFolder} (process ${found.pid}) runs but does not answer: end it and start again.`,
  );
}

/** The workers of a killed server exit a moment after it; until then a new server is refused. */
async function launchPatiently(place: Place, settings: Options["settings"] = {}): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(place, settings);
    } catch (error) {
      const text = String((error as Error).cause);
      const hasWorkers = /pre-existing shared memory block/.test(text) && attempt <= 100;
      const hasLock = /lock file .* already exists/.test(text) && attempt <= 20;
      if (!hasWorkers && !hasLock) throw error;
      await sleep(100);
    }
  }
}

/**
 * Watches the server, and stops it when this process ends, except by SIGKILL. Another process's server is
 * left running, and taken over if that process ends without stopping it.
 */
function guardServer({ place, pid, options }: { place: Place; pid: number; options: Options }) {
  const { home, dataFolder } = place;
  let released = false;
  let isOwner = !hasOtherOwner(home);
  const onProcessExit = () => {
    if (!isOwner) return;
    sendSignal(pid, "SIGINT");
    endOwnership(home);
  };
  const look = () => {
    if (isAlive(pid)) {
      if (isOwner || hasOtherOwner(home)) return;
      // On a busy machine a process ends before the server that it has asked to stop.
      if (!readPostmaster(dataFolder)?.ready) return;
      isOwner = true;
      return becomeOwner(home);
    }
    if (!release()) return;
    const reason = isOwner
      ? `its last words are in ${logFilePath(home)}`
      : "the product that started it, in the same data folder, has stopped";
    options.onExit?.(reason);
  };
  const timer = setInterval(look, 500).unref();
  const release = () => {
    if (released) return false;
    released = true;
    clearInterval(timer);
    process.removeListener("exit", onProcessExit);
    return true;
  };
  process.once("exit", onProcessExit);
  return { release };
}

/** Creates the product's database if it is missing. @throws if the server does not answer */
async function ensureDatabase(socketFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(socketFolder, "postgres") });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE_USER]);
    if (!found.rowCount) await client.query(`create database ${DATABASE_USER}`);
  } finally {
    await client.end();
  }
}

const databaseUrl = (socketFolder: string, database: string) =>
  `postgres://${DATABASE_USER}@localhost:${SOCKET_PORT}/${database}?host=${encodeURIComponent(socketFolder)}`;
