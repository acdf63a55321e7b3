import { readdirSync, readFileSync } from "node:fs";

/** One process of the machine, as Linux reports it in /proc; other systems are not measured. */
export type ProcessInfo = { pid: number; parent: number; command: string };

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** A process and all that it started, itself first. */
export function findProcessTree(root: number): ProcessInfo[] {
  const all = listProcesses();
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** The product's server process below this one. @throws Error when it does not run */
export function findServer(root = process.pid): number {
  const server = findProcessTree(root).find(({ command }) => command.includes("src/main/start.ts"));
  if (!server) throw new Error("The product's server is not among the processes.");
  return server.pid;
}

/** CPU time a process has used so far, all threads, milliseconds; 0 when it is gone. */
export function cpuMs(pid: number): number {
  const fields = readStat(pid)?.fields ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

/** Largest resident memory a process ever had, MB. */
export function peakMb(pid: number): number {
  return readKb(read(`/proc/${pid}/status`), /^VmHWM:\s+(\d+)/m) / 1024;
}

/** Resident memory of a process now, MB. */
export function residentMb(pid: number): number {
  return readKb(read(`/proc/${pid}/status`), /^VmRSS:\s+(\d+)/m) / 1024;
}

/** Memory of a process, MB; what it shares with others is counted in parts, so that sums are true. */
export function sharedOutMb(pid: number): number {
  return readKb(read(`/proc/${pid}/smaps_rollup`), /^Pss:\s+(\d+)/m) / 1024;
}

/** Every process of the machine that is not dead already. */
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

/** The fields after the command name, which may hold anything: state, parent, … */
function readStat(pid: number): { fields: string[] } | null {
  const text = read(`/proc/${pid}/stat`);
  return text ? { fields: text.slice(text.lastIndexOf(")") + 2).split(" ") } : null;
}

const readKb = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
