import { setTimeout as wait } from "node:timers/promises";
import { findPlace, removePlace } from "../test/support/run-product.ts";
import { cloneBare, startClone, stopClone } from "./support/clone.ts";
import { figure, report, round, info, type Figure } from "./support/figures.ts";
import { findProcessTree, sharedOutMb } from "./support/processes.ts";

/** Measures `npm start` for a new user: from a bare clone, and again later; its idle memory; its shutdown. */
const LATER_STARTS = 5;
/** By then the garbage of starting is collected and the schedules have run. */
const IDLE_MS = 15_000;

const clone = await cloneBare();
const place = await findPlace();
try {
  report("npm start", await measure());
} finally {
  await removePlace(place);
  await clone.remove();
}

async function measure(): Promise<Figure[]> {
  const first = await startClone(clone, place);
  const stops = [await stopClone(first.child)];
  const later: number[] = [];
  let memory: Memory[] = [];
  for (let count = 0; count < LATER_STARTS; count += 1) {
    const started = await startClone(clone, place);
    later.push(started.ms);
    if (count === LATER_STARTS - 1) {
      await wait(IDLE_MS);
      memory = readMemory(started.child.pid ?? 0);
    }
    stops.push(await stopClone(started.child));
  }
  const sum = memory.reduce((total, { mb }) => total + mb, 0);
  return [
    figure("bare clone to first page", first.ms / 1_000, { most: 45, unit: "s" }),
    figure("later start to first page, slowest", Math.max(...later) / 1_000, { most: 3, unit: "s" }),
    info("later starts", `${later.map((ms) => round(ms / 1_000)).join(" ")} s`),
    figure("stop, slowest", Math.max(...stops) / 1_000, { most: 5, unit: "s" }),
    figure("all processes, idle", sum, { most: 450, unit: "MB" }),
    ...memory.map(({ name, mb }) => info(`  ${name}`, `${round(mb)} MB`)),
  ];
}

type Memory = { name: string; mb: number };

function readMemory(root: number): Memory[] {
  const sums = new Map<string, number>();
  for (const { pid, command } of findProcessTree(root)) {
    const name = programName(command);
    sums.set(name, (sums.get(name) ?? 0) + sharedOutMb(pid));
  }
  return [...sums].map(([name, mb]) => ({ name, mb }));
}

function programName(command: string): string {
  if (command.includes("src/main/start.ts")) return "product (web and worker)";
  if (command.includes("simulators/main.ts")) return "simulators";
  if (command.includes("postgres")) return "PostgreSQL";
  if (command.includes("start.mjs")) return command.startsWith("sh") ? "shell" : "launcher";
  return command.startsWith("npm") ? "npm" : command.slice(0, 40);
}
