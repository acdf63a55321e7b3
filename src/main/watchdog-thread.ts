import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { isMainThread, workerData } from "node:worker_threads";

/** `counts`: how often the event loop turned, and whether a debugger may hold it. */
export type Watched = { counts: Int32Array; limitMs: number };

export const BEAT = 0;
export const DEBUGGED = 1;

/** Looks of this thread without a turn of the event loop that are a standstill. */
export const LOOKS = 20;

/** Time for the stack, on a machine that is busy. Code in the middle of a call of the system can't be paused at all. */
const STACK_WITHIN_MS = 10_000;

if (!isMainThread) watch(workerData as Watched);

function watch({ counts, limitMs }: Watched): void {
  let last = Atomics.load(counts, BEAT);
  let looks = 0;
  const timer = setInterval(() => {
    const beat = Atomics.load(counts, BEAT);
    looks = beat === last ? looks + 1 : 0;
    last = beat;
    if (looks < LOOKS || Atomics.load(counts, DEBUGGED) === 1) return;
    clearInterval(timer);
    setTimeout(() => end(limitMs, []), STACK_WITHIN_MS);
    readStack((stack) => end(limitMs, stack));
  }, limitMs / LOOKS);
}

/** Pauses the main thread and reads its current stack. */
function readStack(read: (stack: string[]) => void): void {
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => files.set(scriptId, url));
  session.on("Debugger.paused", ({ params: { callFrames } }) =>
    read(
      callFrames.map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
        const place = `${files.get(scriptId) ?? ""}:${lineNumber + 1}:${columnNumber + 1}`;
        return `at ${functionName || "<anonymous>"} (${place})`;
      }),
    ),
  );
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

/** Writes a line as the log does, which can't write any more, and ends the process. */
function end(limitMs: number, stack: readonly string[]): void {
  const msg = `The event loop stood still for ${limitMs / 1_000} s, so this process ends. Its runs go on when their leases end.`;
  const line = { level: 60, time: new Date().toISOString(), stack, msg };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
