import { readdirSync, readFileSync } from "node:fs";

/** A process of the machine, as reported by Linux in /proc; other systems are not measured. */
export type ProcessInfo = { pid: number; parent: number; command: string };

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** Finds a process and all its descendants, itself first. */
function findProcessTree(root: number): ProcessInfo[] {
  const all = listProcesses();
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Finds the product's server process below this one. @throws Error if it is not running */
export function findServer(root = process.pid): number {
  const server = findProcessTree(root).find(({ command }) => command.includes("src/main/start.ts"));
  if (!server) throw new Error("The product's server is not among the processes.");
  return server.pid;
}

/** CPU time of a process so far, all threads, milliseconds; 0 if it is gone. */
export const cpuMs = (pid: number): number => sumTicks(pid, OWN_TICKS);

/** CPU time of a process and all its descendants so far, milliseconds; also of those that ended, as connections do. */
export const treeCpuMs = (root: number): number =>
  findProcessTree(root).reduce((sum, { pid }) => sum + sumTicks(pid, [...OWN_TICKS, ...ENDED_TICKS]), 0);

/** Places of user and system time among the fields of a process: its own, and that of its children that ended. */
const OWN_TICKS = [11, 12];
const ENDED_TICKS = [13, 14];

function sumTicks(pid: number, places: readonly number[]): number {
  const fields = readStat(pid)?.fields ?? [];
  return places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) * TICK_MS;
}

/** Peak resident memory of a process, MB. */
export function peakMb(pid: number): number {
  return readKb(read(`/proc/${pid}/status`), /^VmHWM:\s+(\d+)/m) / 1024;
}

/** Current resident memory of a process, MB. */
export function residentMb(pid: number): number {
  return readKb(read(`/proc/${pid}/status`), /^VmRSS:\s+(\d+)/m) / 1024;
}

/** Lists every live process of the machine. */
export function listProcesses(): ProcessInfo[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(Number(name));
      if (!stat || stat.fields[0] === "Z") return [];
      const command = read(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      return [{ pid: Number(name), parent: Number(stat.fields[1]), command }];
    });
}

/** Reads the fields after the command name, which can contain anything: state, parent, … */
function readStat(pid: number): { fields: string[] } | null {
  const text = read(`/proc/${pid}/stat`);
  return text ? { fields: text.slice(text.lastIndexOf(")") + 2).split(" ") } : null;
}

const readKb = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);

/** A process may end while it is being read. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
