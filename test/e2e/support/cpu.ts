import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time of this process and all below it, ended ones included: for a worker, with its product and its browser. */
export function treeCpuSeconds(): number {
  const ticks = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc").map(Number).filter(Boolean)) {
    const fields = readStat(pid);
    if (!fields) continue;
    const [parent = 0, ...times] = [fields[1], ...fields.slice(11, 15)].map(Number);
    ticks.set(
      pid,
      times.reduce((sum, time) => sum + time, 0),
    );
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sumBelow = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + sumBelow(child), ticks.get(pid) ?? 0);
  return sumBelow(process.pid) / TICKS_PER_SECOND;
}

/** A process's facts from its state on; null if it has ended. */
function readStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in parentheses, can contain spaces.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
