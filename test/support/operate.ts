import { spawn } from "node:child_process";
import { join } from "node:path";
import { COMPILED } from "./compiled.ts";
import { untilClosed } from "./run-product.ts";

const ENTRY = join(import.meta.dirname, "../../src/main/operate.ts");

/** Runs an operator's command, as `npm run operate` does. @returns its exit code and all that it prints */
export async function runOperate(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (output += part.toString()));
  await untilClosed(child);
  return { code: child.exitCode, output: output.trim() };
}
