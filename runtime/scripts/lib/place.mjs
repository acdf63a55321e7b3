import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Returns a path in the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/**
 * Reads Node's options for the server. With a larger young generation, checking a large file full of errors
 * takes 100 MB more memory and no less processor time.
 */
export const serverFlags = () => JSON.parse(readFileSync(inRoot("runtime/server-flags.json"), "utf8"));

/** Prints progress to standard error; results of a program go to standard output. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Ends a script with one sentence. */
export class Refusal extends Error {}

/** Runs the body of a script: a Refusal is printed as a sentence and exits with 1. */
export async function runScript(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    say(error instanceof Refusal ? error.message : String(error.stack ?? error));
    process.exitCode = 1;
  }
}
