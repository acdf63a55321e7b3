import { execFileSync } from "node:child_process";
import { sendSignal } from "#platform/db/embedded/processes.ts";

/** Sends a signal to a PostgreSQL server's process and its children, which have sessions of their own. */
export function signalServer(pid: number, signal: NodeJS.Signals): void {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const children = rows.filter(([, parent]) => parent === pid).map(([child]) => child ?? 0);
  for (const each of [pid, ...children]) sendSignal(each, signal);
}
