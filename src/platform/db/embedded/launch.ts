import type { ChildProcess } from "node:child_process";
import { totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresFailure, folderFailure } from "#platform/db/embedded/failure.ts";
import { readPostmaster } from "#platform/db/embedded/postmaster.ts";
import type { Place } from "#platform/db/embedded/place.ts";
import { logFilePath, runProgram } from "#platform/db/embedded/run-program.ts";

/** Crash recovery replays at most `max_wal_size`, which takes time on a slow disk. */
const READY_WITHIN_MS = 120_000;

/** A share of the memory of the machine or container: the product and the system's cache need the rest. */
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

/**
 * Starts a server and waits until it answers. We stop it, after our connections are closed.
 * @param settings server settings that override ours
 * @returns its process id
 * @throws EmbeddedPostgresFailure if it exits, or is not ready in time
 */
export async function launch(place: Place, settings: Record<string, string>): Promise<number> {
  const { home, dataFolder, socketFolder, binaries } = place;
  const all = { ...SETTINGS, ...settings, unix_socket_directories: socketFolder };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const args = ["-D", dataFolder, ...options];
  const server = runProgram(place, { file: binaries.postgres, args, exitSignal: "SIGQUIT" });
  const { child } = server;
  child.unref();
  const outcome = await Promise.race([server.ended, becomeReady(dataFolder, child)]);
  server.release();
  if (outcome === "ready" && child.pid !== undefined) return child.pid;
  if (typeof outcome !== "string")
    throw folderFailure(home, "error" in outcome ? outcome.error : server.output());
  server.abandon();
  throw new EmbeddedPostgresFailure(
    `The embedded PostgreSQL in ${home} was not ready in time: see ${logFilePath(home)}.`,
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

/** Megabytes; reserved at the server's start, and allocated as used. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory() || totalmem();
  const mb = Math.floor((Math.min(limit, totalmem()) * BUFFERS.part) / 2 ** 20);
  return Math.min(Math.max(mb, BUFFERS.minMb), BUFFERS.maxMb);
}
