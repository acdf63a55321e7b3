import { spawn } from "node:child_process";
import { ROOT, say } from "./place.mjs";

/**
 * Runs a program to its end in the repository, showing its output unless `quiet`.
 * @returns {Promise<{ code: number, output: string }>} output only if quiet; code 1 if it could not start
 */
export function run(file, args, { env = process.env, quiet = false, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    const take = (chunk) => (output += chunk);
    if (quiet) {
      child.stdout.on("data", take);
      child.stderr.on("data", take);
    }
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code, signal) => resolve({ code: signal ? 1 : code, output }));
  });
}

/** A program that is killed before it ran for this long would be killed again. */
const STEADY_AFTER_MS = 30_000;

/**
 * Runs a program in place of this one: forwards signals and returns its exit code. A Ctrl-C in a terminal
 * reaches it twice, once from the terminal and once from here. A program that is killed, as by its own watchdog
 * or for want of memory, is started again, as a service manager does.
 */
export async function runInPlace(file, args, env, { steadyAfterMs = STEADY_AFTER_MS } = {}) {
  let child;
  let isAskedToEnd = false;
  const end = (signal) => {
    isAskedToEnd = true;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
  watchNpm(() => end("SIGTERM"));
  for (;;) {
    const startedAt = performance.now();
    child = spawn(file, args, { cwd: ROOT, env, stdio: "inherit" });
    const { code, signal } = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    if (signal === null) return code;
    if (signal !== "SIGKILL" || isAskedToEnd || performance.now() - startedAt < steadyAfterMs) return 1;
    say("The product was killed, and is started again.");
  }
}

/** A signal to npm ends npm and its shell but does not reach us; a changed parent shows that npm is gone. */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 250);
  timer.unref();
}
