import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal, to a group if the id is negative; harmless if the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
}

/** Whether a process with this id runs; zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return readStat(pid)[0] !== "Z";
}

/** Start time of a process in the system's units; empty if unknown. */
export const startedAt = (pid: number): string => readStat(pid)[19] ?? "";

/** Fields of a process in Linux's stat file, starting with its state. */
function readStat(pid: number): string[] {
  const text = readText(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

export const commandLine = (pid: number): string =>
  readText(() =>
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }),
  );

export function processIds(): number[] {
  const names =
    process.platform === "linux"
      ? readdirSync("/proc")
      : execFileSync("ps", ["-A", "-o", "pid="], { encoding: "utf8" }).split("\n");
  return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
}

/** Empty for a process that has ended meanwhile. */
function readText(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
