import { spawn } from "node:child_process";
import { join } from "node:path";

/** A worker of a test in a process of its own. */
export type WorkerProcess = {
  isRunning(): boolean;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
};

/** Starts a program of `fixtures/workers`, and waits until it says that it works. */
export async function startWorkerProcess(program: string, given: object): Promise<WorkerProcess> {
  const file = join(import.meta.dirname, "../fixtures/workers", program);
  const child = spawn(process.execPath, [file, JSON.stringify(given)], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`The worker process ended with ${code}: ${said}`)));
  });
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
