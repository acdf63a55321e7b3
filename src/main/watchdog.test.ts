import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

const WATCHDOG = join(import.meta.dirname, "watchdog.ts");

/** A process whose event loop is watched with a limit of a second, and that runs some code after half a second. */
function startWatched(code: string, flags: string[] = []) {
  const source = `import { watchEventLoop } from ${JSON.stringify(WATCHDOG)};
    watchEventLoop(1_000);
    setInterval(() => undefined, 100);
    setTimeout(() => { ${code} }, 500);`;
  const child = spawn(process.execPath, [...flags, "--input-type=module", "--eval", source]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  child.stderr.on("data", (part: Buffer) => (output += part.toString()));
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once("close", (exitCode, signal) => resolve(signal ?? exitCode)),
  );
  return { child, ended, output: () => output };
}

test.each([
  ["a loop", "(function countForEver() { for (;;); })();", "at countForEver ("],
  [
    "a slow pattern",
    'const tryPattern = () => /^(a+)+$/.test(`${"a".repeat(60)}!`); tryPattern();',
    "at tryPattern (",
  ],
])("%s that holds the event loop ends the process, with its stack in the log", async (_what, code, frame) => {
  const { ended, output } = startWatched(code);
  expect(await ended, output()).toBe("SIGKILL");
  const [line = ""] = output().split("\n");
  expect(JSON.parse(line)).toMatchObject({
    level: 60,
    msg: "The event loop stood still for 1 s, so this process ends. Its runs go on when their leases end.",
    stack: expect.arrayContaining([expect.stringContaining(frame)]) as string[],
  });
});

test("a process that was suspended goes on, and so does one under a debugger", async () => {
  const suspended = startWatched('console.log("turned");');
  const debugged = startWatched("const until = Date.now() + 2_500; while (Date.now() < until);", [
    "--inspect=0",
  ]);
  await wait(1_500);
  suspended.child.kill("SIGSTOP");
  await wait(3_000);
  suspended.child.kill("SIGCONT");
  await wait(1_000);
  for (const { child, output } of [suspended, debugged])
    expect([child.exitCode, child.signalCode], output()).toEqual([null, null]);
});
