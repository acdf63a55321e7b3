import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findPlace, removePlace, type ProductPlace } from "../test/support/run-product.ts";
import { figure, report, round, told, type Figure } from "./support/figures.ts";
import { findProcessTree, listProcesses, sharedOutMb } from "./support/processes.ts";

/** `npm start` as a stranger runs it: from a bare clone, and again later; its memory when nothing happens; its end. */
const ROOT = join(import.meta.dirname, "..");
const FIRST_WITHIN_MS = 180_000;
const LATER_STARTS = 5;
/** After this long the garbage of starting is gone and the schedules have run. */
const IDLE_MS = 15_000;

const folder = await mkdtemp(join(tmpdir(), "dockside-clone-"));
const clone = join(folder, "clone");
const place = await findPlace();
try {
  report("npm start", await measure());
} finally {
  await removePlace(place);
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<Figure[]> {
  execFileSync("git", ["clone", "--quiet", ROOT, clone]);
  const first = await start(place);
  const stops = [await stop(first.child)];
  const later: number[] = [];
  let memory: Memory[] = [];
  for (let count = 0; count < LATER_STARTS; count += 1) {
    const started = await start(place);
    later.push(started.ms);
    if (count === LATER_STARTS - 1) {
      await wait(IDLE_MS);
      memory = memoryOf(started.child.pid ?? 0);
    }
    stops.push(await stop(started.child));
  }
  const sum = memory.reduce((total, { mb }) => total + mb, 0);
  return [
    figure("bare clone to first page", first.ms / 1_000, { most: 45, unit: "s" }),
    figure("later start to first page, slowest", Math.max(...later) / 1_000, { most: 3, unit: "s" }),
    told("later starts", `${later.map((ms) => round(ms / 1_000)).join(" ")} s`),
    figure("stop, slowest", Math.max(...stops) / 1_000, { most: 5, unit: "s" }),
    figure("all processes, idle", sum, { most: 450, unit: "MB" }),
    ...memory.map(({ name, mb }) => told(`  ${name}`, `${round(mb)} MB`)),
  ];
}

/** Starts as a person does, in a terminal of its own. @returns the time until `/` is answered */
async function start({
  port,
  intuitPort,
  folder: dataDir,
}: ProductPlace): Promise<{ child: ChildProcess; ms: number }> {
  const startedAt = performance.now();
  const env = {
    ...strangersEnvironment(),
    PORT: String(port),
    SIM_INTUIT_PORT: String(intuitPort),
    DATA_DIR: dataDir,
  };
  let output = "";
  const child = spawn("npm", ["start"], {
    cwd: clone,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  while (!(await isAnswered(`http://localhost:${port}/`))) {
    if (child.exitCode !== null || performance.now() - startedAt > FIRST_WITHIN_MS) {
      if (child.exitCode === null) await stop(child);
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

/** Ctrl-C in a terminal: the signal reaches the whole group. @returns the time until none of it is left */
async function stop(child: ChildProcess): Promise<number> {
  const all = findProcessTree(child.pid ?? 0).map(({ pid }) => pid);
  const startedAt = performance.now();
  process.kill(-(child.pid ?? 0), "SIGINT");
  while (listProcesses().some(({ pid }) => all.includes(pid))) {
    if (performance.now() - startedAt > 30_000) throw new Error("The product did not stop.");
    await wait(10);
  }
  return performance.now() - startedAt;
}

/** The machine's own programs and an empty cache of npm: what is at hand here would spare the clone some work. */
function strangersEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) && name !== "NODE_OPTIONS",
  );
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), npm_config_cache: join(folder, "cache") };
}

type Memory = { name: string; mb: number };

function memoryOf(root: number): Memory[] {
  const sums = new Map<string, number>();
  for (const { pid, command } of findProcessTree(root)) {
    const name = nameOf(command);
    sums.set(name, (sums.get(name) ?? 0) + sharedOutMb(pid));
  }
  return [...sums].map(([name, mb]) => ({ name, mb }));
}

function nameOf(command: string): string {
  if (command.includes("src/main/start.ts")) return "product (web and worker)";
  if (command.includes("simulators/main.ts")) return "simulators";
  if (command.includes("postgres")) return "PostgreSQL";
  if (command.includes("start.mjs")) return command.startsWith("sh") ? "shell" : "launcher";
  return command.startsWith("npm") ? "npm" : command.slice(0, 40);
}
