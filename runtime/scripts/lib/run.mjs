import { spawn } from "node:child_process";
import { ROOT } from "./place.mjs";

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

/**
 * Runs a program in place of this one: forwards signals and returns its exit code. A Ctrl-C in a terminal
 * reaches it twice, once from the terminal and once from here.
 */
export function runInPlace(file, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: ROOT, env, stdio: "inherit" });
    watchNpm(child);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ? 1 : code));
  });
}

/** A signal to npm ends npm and its shell but does not reach us; a changed parent shows that npm is gone. */
function watchNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, 250);
  timer.unref();
}
