import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { productEnvironment, type ProductPlace } from "../../test/support/run-product.ts";
import { findProcessTree, listProcesses } from "./processes.ts";

const ROOT = join(import.meta.dirname, "../..");
const FIRST_WITHIN_MS = 180_000;

/**
 * The product as someone else gets it: only what is committed, nothing installed or built, and an empty npm
 * cache.
 */
export type BareClone = { path: string; cache: string; cloneMs: number; remove(): Promise<void> };

export async function cloneBare(): Promise<BareClone> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-clone-"));
  const path = join(folder, "clone");
  const startedAt = performance.now();
  execFileSync("git", ["clone", "--quiet", ROOT, path]);
  const cloneMs = performance.now() - startedAt;
  const remove = () => rm(folder, { recursive: true, force: true });
  return { path, cache: join(folder, "cache"), cloneMs, remove };
}

/** Starts like a user, in a separate terminal. @returns the time until `/` is answered */
export async function startClone(
  clone: BareClone,
  place: ProductPlace,
): Promise<{ child: ChildProcess; ms: number }> {
  const startedAt = performance.now();
  const env = {
    ...strangersEnvironment(clone),
    ...productEnvironment(place),
  };
  let output = "";
  const child = spawn("npm", ["start"], {
    cwd: clone.path,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  while (!(await isAnswered(`http://localhost:${place.port}/`))) {
    if (child.exitCode !== null || performance.now() - startedAt > FIRST_WITHIN_MS) {
      if (child.exitCode === null) await stopClone(child);
      throw new Error(`The product did not start: ${output}`);
    }
    await wait(20);
  }
  return { child, ms: performance.now() - startedAt };
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    return answer.status === 200 && (await answer.text()).includes("<html");
  } catch {
    return false;
  }
}

/**
 * Sends Ctrl-C as in a terminal: the signal reaches all of its processes. @returns the time until all have
 * exited
 */
export async function stopClone(child: ChildProcess): Promise<number> {
  const all = findProcessTree(child.pid ?? 0).map(({ pid }) => pid);
  const startedAt = performance.now();
  process.kill(-(child.pid ?? 0), "SIGINT");
  while (listProcesses().some(({ pid }) => all.includes(pid))) {
    if (performance.now() - startedAt > 30_000) throw new Error("The product did not stop.");
    await wait(10);
  }
  return performance.now() - startedAt;
}

/** The machine's own programs and an empty npm cache: this checkout's cache would make the clone faster. */
function strangersEnvironment({ cache }: BareClone): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) && name !== "NODE_OPTIONS",
  );
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), npm_config_cache: cache };
}
