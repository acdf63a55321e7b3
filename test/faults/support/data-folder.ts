import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProductInstance } from "../../support/run-product.ts";
import { findDatabase } from "./embedded-database.ts";

/** The simulated vendor keeps its own state below our data folder; a restored backup must not take that back. */
const VENDOR = "simulators";

/**
 * Copies the data folder of a running product as a snapshot of its disk would: the database is paused meanwhile.
 * @returns what puts the copy in the place of the folder; nothing may run there then
 */
export async function copyDataFolder({ folder }: ProductInstance): Promise<{ restore(): Promise<void> }> {
  const copy = await mkdtemp(join(tmpdir(), "dockside-copy-"));
  const pids = databaseProcesses(folder);
  for (const pid of pids) signal(pid, "SIGSTOP");
  try {
    await copyOurs(folder, copy);
  } finally {
    for (const pid of pids) signal(pid, "SIGCONT");
  }
  return {
    restore: async () => {
      for (const name of await oursIn(folder)) await rm(join(folder, name), { recursive: true, force: true });
      await copyOurs(copy, folder);
      await rm(copy, { recursive: true, force: true });
    },
  };
}

async function copyOurs(from: string, to: string): Promise<void> {
  const filter = (path: string) => !lstatSync(path).isSocket();
  for (const name of await oursIn(from))
    await cp(join(from, name), join(to, name), { recursive: true, filter, verbatimSymlinks: true });
}

const oursIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== VENDOR);

/** The server and its children, the server first, so that it starts none meanwhile. */
function databaseProcesses(folder: string): number[] {
  const { pid } = findDatabase(folder);
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = all.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, of]) => of === pid);
  return [pid, ...children.flatMap(([child]) => child ?? [])];
}

/** A child may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
