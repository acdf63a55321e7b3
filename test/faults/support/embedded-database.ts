import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readPostmaster, type Postmaster } from "#platform/db/embedded/postmaster.ts";
import { isAlive, sendSignal } from "#platform/db/embedded/processes.ts";

/** The running database server below a product's data folder. @throws Error when there is none */
export function findDatabase(dataDir: string): Postmaster {
  const found = readPostmaster(findFolder(dataDir));
  if (!found) throw new Error(`No database server runs below ${dataDir}.`);
  return found;
}

/** Ends the database server with SIGKILL; its children end when they notice. */
export async function killDatabase(dataDir: string): Promise<void> {
  const { pid } = findDatabase(dataDir);
  sendSignal(pid, "SIGKILL");
  while (isAlive(pid)) await wait(10);
}

/** Waits until an address no longer answers. @throws Error when it still does after 15 s */
export async function untilGone(url: string): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end; await wait(50)) {
    try {
      await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(2_000) });
    } catch (error) {
      if ((error as Error).name !== "TimeoutError") return;
    }
  }
  throw new Error(`${url} still answers.`);
}

function findFolder(dataDir: string): string {
  const own = join(dataDir, "postgres", "database");
  if (!existsSync(own)) throw new Error(`${dataDir} holds no database that this test can reach.`);
  return own;
}
