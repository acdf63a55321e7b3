import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { commandLine, isAlive, processIds, sendSignal } from "#platform/db/embedded/processes.ts";

/** The server of a database folder, as described by `postmaster.pid`; `dataFolder` is the folder it was started for. */
export type Postmaster = { pid: number; dataFolder: string; socketFolder: string; ready: boolean };

/** Reads `postmaster.pid` of a database folder; null if no server uses the folder. */
export function readPostmaster(dataFolder: string): Postmaster | null {
  let text: string;
  try {
    text = readFileSync(join(dataFolder, "postmaster.pid"), "utf8");
  } catch {
    return null;
  }
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, dataFolder: lines[1] ?? "", socketFolder: lines[4] ?? "", ready: lines[7] === "ready" };
}

/**
 * Finds the living server of a database folder, or null. Removes a `postmaster.pid` whose process is gone or
 * is now another program: after a container restart the id is often reused, and PostgreSQL would refuse to
 * start.
 * @throws EmbeddedPostgresFailure when the folder is a copy of one whose server lives
 */
export function findPostmaster(dataFolder: string): Postmaster | null {
  const found = readPostmaster(dataFolder);
  if (found && isOurs(found.pid, dataFolder)) return found;
  if (found && found.dataFolder !== "" && isOurs(found.pid, found.dataFolder))
    throw new EmbeddedPostgresFailure(
      `The database folder ${dataFolder} is a copy of ${found.dataFolder}, which a running product uses (process ${found.pid}): stop that product and copy the folder again, or set DATA_DIR to another folder.`,
    );
  if (found) rmSync(join(dataFolder, "postmaster.pid"), { force: true });
  return null;
}

/**
 * Removes an empty or unreadable `postmaster.pid`, left by a full disk or a power failure: PostgreSQL would
 * refuse to start. A server without a readable one would exit within a minute, so it is stopped first.
 */
export async function clearDamagedLock(dataFolder: string): Promise<void> {
  const file = join(dataFolder, "postmaster.pid");
  if (!existsSync(file) || readPostmaster(dataFolder)) return;
  const pid = findServerIn(dataFolder);
  if (pid !== null) await stopPostmaster(pid);
  rmSync(file, { force: true });
}

/** Finds the server process of a database folder by its arguments. */
function findServerIn(dataFolder: string): number | null {
  const marks = [`-D\0${dataFolder}\0`, `-D ${dataFolder} `];
  const found = processIds().find((pid) => marks.some((mark) => commandLine(pid).includes(mark)));
  return found ?? null;
}

/** Whether a process lives and was started for a folder: ids are reused, by other programs too. */
export const isOurs = (pid: number, folder: string): boolean =>
  isAlive(pid) && commandLine(pid).includes(folder);

/**
 * Stops a server: fast shutdown first, then immediate (which costs a recovery at the next start, but loses
 * nothing). Takes at most 5 seconds.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, ms] of [
    ["SIGINT", 3500],
    ["SIGQUIT", 1000],
    ["SIGKILL", 500],
  ] as const) {
    sendSignal(pid, signal);
    if (await goneWithin(pid, ms)) return;
  }
}

async function goneWithin(pid: number, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) {
    if (!isAlive(pid)) return true;
  }
  return !isAlive(pid);
}
