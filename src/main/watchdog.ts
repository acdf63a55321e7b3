import { url as debuggerUrl } from "node:inspector";
import { Worker } from "node:worker_threads";
import { BEAT, DEBUGGED, LOOKS, type Watched } from "./watchdog-thread.ts";

/** No work of ours holds the event loop for a second, and users who wait for this long have given up. */
const LIMIT_MS = 10_000;

/**
 * Starts a thread that ends this process once its event loop has stood still for a time, with its stack in the log: a process
 * that answers no call would hold its runs for ever. Its service manager starts it again, and its runs go on when their leases
 * end.
 * Both threads count their own looks, so that a machine that was suspended, or gives neither any time, isn't taken for a standstill. Under
 * a debugger nothing is ended.
 */
export function watchEventLoop(limitMs = LIMIT_MS): void {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const watched: Watched = { counts, limitMs };
  const beat = () => {
    Atomics.add(counts, BEAT, 1);
    Atomics.store(counts, DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
  };
  beat();
  setInterval(beat, limitMs / LOOKS / 2).unref();
  new Worker(new URL("./watchdog-thread.ts", import.meta.url), {
    workerData: watched,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    env: {},
    execArgv: [],
  }).unref();
}
