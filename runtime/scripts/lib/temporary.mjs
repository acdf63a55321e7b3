import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Linux keeps the files of this folder in memory. */
const MEMORY = "/dev/shm";
/** Databases and data folders of the tests that run beside each other take a fifth of it. */
const NEEDED_BYTES = 6 * 2 ** 30;
const OURS = /^dockside-tests-(\d+)$/;

/**
 * Makes a folder for the files of tests that is removed with this process, in memory where there is enough: making and
 * removing some hundred databases on a disk takes as long as the tests themselves.
 * @returns {Record<string, string>} the environment that names it; empty where files stay on the disk
 */
export function temporaryInMemory() {
  if (!hasRoom()) return {};
  const folder = join(MEMORY, `dockside-tests-${process.pid}`);
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(OURS.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  // Like the system's own folder: products of tests run as other users, too.
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
