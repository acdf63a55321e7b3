import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** A path inside the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/**
 * Node's options for the server. With a larger space for short-lived objects its memory rises by 100 MB more while a
 * large file full of errors is checked, for no less processor time.
 */
export const serverFlags = () => JSON.parse(readFileSync(inRoot("runtime/server-flags.json"), "utf8"));

/** Says what is being done; the results of a program go to standard output, this does not. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Ends a script with one sentence. */
export class Refusal extends Error {}

/** Runs the body of a script: a Refusal is printed as a sentence, its exit code is 1. */
export async function runScript(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    say(error instanceof Refusal ? error.message : String(error.stack ?? error));
    process.exitCode = 1;
  }
}
