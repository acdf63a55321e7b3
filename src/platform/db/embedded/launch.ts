import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "#platform/db/embedded/binaries.ts";
import { EmbeddedPostgresFailure, folderFailure } from "#platform/db/embedded/failure.ts";
import { readPostmaster } from "#platform/db/embedded/postmaster.ts";
import { commandAs, type RunAs } from "#platform/db/embedded/run-as.ts";

/** A recovery after a crash replays at most `max_wal_size`; a slow disk gets its time. */
const READY_WITHIN_MS = 120_000;
const MAX_LOG_BYTES = 4_000_000;

/** A part of the machine's memory, and of a container's own limit: the product and the system's cache need the rest. */
const BUFFERS = { part: 1 / 32, minMb: 32, maxMb: 512 };

/** For one office on one machine. `io_method` and `jit` save processes and memory. */
const SETTINGS = {
  listen_addresses: "",
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_connections: "60",
  max_wal_size: "256MB",
  io_method: "sync",
  jit: "off",
  huge_pages: "off",
  max_logical_replication_workers: "0",
  fsync: "on",
  timezone: "UTC",
  log_timezone: "UTC",
};

export type Place = {
  home: string;
  dataFolder: string;
  socketFolder: string;
  binaries: Binaries;
  runAs: RunAs;
  /** Server settings over our own. */
  settings: Readonly<Record<string, string>>;
};

/**
 * Starts a server and waits until it answers. It lives in a session of its own:
 * a Ctrl-C in the terminal reaches us only, and we stop it after our connections are closed.
 * @returns its process id
 * @throws EmbeddedPostgresFailure when it ends, or is not ready in time
 */
export async function launch(place: Place): Promise<number> {
  const { home, dataFolder, socketFolder, binaries, runAs } = place;
  const settings = { ...SETTINGS, ...place.settings, unix_socket_directories: socketFolder };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = commandAs(runAs, binaries.postgres, ["-D", dataFolder, ...options]);
  const logFile = join(home, "postgres.log");
  const log = openLog(logFile);
  const from = statSync(logFile).size;
  const child = spawn(command.file, command.args, {
    ...command.ids,
    cwd: home,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  const abandon = () => child.kill("SIGQUIT");
  process.once("exit", abandon);
  const failed = new Promise<Error>((resolve) => child.once("error", resolve));
  const ended = new Promise<"ended">((resolve) => child.once("exit", () => resolve("ended")));
  const outcome = await Promise.race([failed, ended, becomeReady(dataFolder, child)]);
  process.removeListener("exit", abandon);
  if (outcome === "ready" && child.pid !== undefined) return child.pid;
  child.kill("SIGQUIT");
  if (outcome instanceof Error) throw folderFailure(home, outcome);
  if (outcome === "ended") throw folderFailure(home, readFileSync(logFile, "utf8").slice(from));
  throw new EmbeddedPostgresFailure(
    `The embedded PostgreSQL in ${home} was not ready in time: see ${logFile}.`,
  );
}

async function becomeReady(dataFolder: string, child: ChildProcess): Promise<"ready" | "late"> {
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await sleep(8)) {
    const found = readPostmaster(dataFolder);
    if (found?.ready && found.pid === child.pid) return "ready";
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  return "late";
}

/** Megabytes; reserved when the server starts, and taken as they are used. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory() || totalmem();
  const mb = Math.floor((Math.min(limit, totalmem()) * BUFFERS.part) / 2 ** 20);
  return Math.min(Math.max(mb, BUFFERS.minMb), BUFFERS.maxMb);
}

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}
