import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "#platform/db/embedded/place.ts";
import { sendSignal } from "#platform/db/embedded/processes.ts";
import { commandAs } from "#platform/db/embedded/run-as.ts";

const MAX_LOG_BYTES = 4_000_000;

/** Log file for the output of all programs. */
export const logFilePath = (home: string) => join(home, "postgres.log");

type Program = {
  file: string;
  args: readonly string[];
  /** Signal that ends the program and its children with this process. */
  exitSignal: NodeJS.Signals;
};

/**
 * Starts a PostgreSQL program in its own session, so that Ctrl-C in the terminal reaches only us. It ends
 * with this process unless released.
 */
export function runProgram({ home, runAs }: Place, { file, args, exitSignal }: Program) {
  const logFile = logFilePath(home);
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
  const log = openSync(logFile, "a", 0o600);
  const from = statSync(logFile).size;
  const command = commandAs(runAs, file, args);
  const child = spawn(command.file, command.args, {
    ...command.ids,
    cwd: home,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const { pid } = child;
  const abandon = () => {
    if (pid !== undefined) sendSignal(-pid, exitSignal);
  };
  process.once("exit", abandon);
  return {
    child,
    abandon,
    release: () => process.removeListener("exit", abandon),
    /** Its exit code, or why it did not start. */
    ended: new Promise<{ code: number | null } | { error: Error }>((resolve) => {
      child.once("error", (error) => resolve({ error }));
      child.once("exit", (code) => resolve({ code }));
    }),
    /** Returns its output. */
    output: () => readFileSync(logFile, "utf8").slice(from),
  };
}
