import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** A program that is run in place, and counts its starts in a file. */
function runInPlace(body: string, steadyAfterMs: number) {
  const folder = mkdtempSync(join(tmpdir(), "dockside-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const starts = join(folder, "starts");
  const program = `require("node:fs").appendFileSync(${JSON.stringify(starts)}, "x");
    const count = require("node:fs").readFileSync(${JSON.stringify(starts)}).length; ${body}`;
  const source = `import { runInPlace } from ${JSON.stringify(join(import.meta.dirname, "run.mjs"))};
    process.exitCode = await runInPlace(process.execPath, ["--eval", ${JSON.stringify(program)}], process.env, { steadyAfterMs: ${steadyAfterMs} });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: "inherit",
    env: { ...process.env, npm_lifecycle_event: "" },
  });
  const code = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, code, starts: () => readFileSync(starts, "utf8").length };
}

test("a product that was killed, as by its watchdog, is started again; one that ends by itself is not", async () => {
  const { code, starts } = runInPlace(
    `setTimeout(() => count === 1 ? process.kill(process.pid, "SIGKILL") : process.exit(3), 300);`,
    200,
  );
  expect([await code, starts()]).toEqual([3, 2]);
});

test("a product that is killed right after its start isn't started again and again", async () => {
  const { code, starts } = runInPlace(`process.kill(process.pid, "SIGKILL");`, 600_000);
  expect([await code, starts()]).toEqual([1, 1]);
});
