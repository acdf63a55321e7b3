import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Linux keeps the files of this folder in memory. */
const MEMORY = "/dev/shm";
/** The databases and data folders of parallel tests take about a fifth of this. */
const NEEDED_BYTES = 6 * 2 ** 30;
const OURS = /^dockside-tests-(\d+)$/;

/**
 * Creates a folder for test files that is removed with this process, in memory if there is enough: creating
 * and removing hundreds of databases on a disk takes as long as the tests themselves.
 * @returns {Record<string, string>} the environment that names it; empty if files stay on disk
 */
export function createMemoryTmpdir() {
  if (!hasRoom()) return {};
  const folder = join(MEMORY, `dockside-tests-${process.pid}`);
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(OURS.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  // Like the system's own folder, because tests also run products as other users.
  chmodSync(folder, 0o1777);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return { TMPDIR: folder };
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES && freemem() >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
