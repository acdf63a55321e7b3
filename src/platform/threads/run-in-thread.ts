import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { ThreadError, ThreadOverLimit, ThreadsBusy } from "#platform/threads/errors.ts";
import { takeTurn } from "#platform/threads/take-turn.ts";
import type { ThreadReply, ThreadWork } from "#platform/threads/thread-entry.ts";

export const THREAD_BOUNDS = {
  /** Processor time limit in milliseconds, after which the thread is ended. */
  cpuMs: 20_000,
  /**
   * Wall-clock limit in milliseconds, for a thread that is starved of processor time; its file is not at
   * fault.
   */
  timeoutMs: 180_000,
  /** Heap limit of the thread, megabytes. */
  memoryMb: 512,
};

export type ThreadBounds = typeof THREAD_BOUNDS;

/** Polling interval for a thread's processor time, milliseconds. */
const CPU_POLL_MS = 100;

/** A small one keeps short-lived objects from taking 60 MB before they are collected, and costs no time. */
const YOUNG_GENERATION_MB = 6;

/**
 * How long an idle thread waits for another task: starting a thread and loading its modules takes a fifth of
 * a second of processor time, more than most files take to read.
 */
const IDLE_MS = 60_000;
const MAX_IDLE_HEAP_BYTES = 64 * 1024 * 1024;
const MAX_IDLE_THREADS = 2;

/** Threads without a task, by the limit that they were started with. */
const idleThreads: { worker: Worker; memoryMb: number; ending: NodeJS.Timeout }[] = [];

/** A thread's work and its owner. */
export type ThreadTask = {
  /**
   * Copied to the thread, so the caller can still use it. A function is called only when the task starts, and
   * its result is transferred.
   */
  bytes: Uint8Array | (() => Promise<Uint8Array>);
  /** Must be cloneable. A function is called only when the task starts, so that waiting callers cost nothing. */
  input: unknown;
  /** Owner of the turn, such as a company: owners are served in rotation. */
  owner: string;
};

/**
 * Runs a module's exported function `run(bytes, input)` in a worker thread, so that a large or hostile file
 * can neither block the server nor exhaust its memory. Only `run`'s result is copied back, so keep it small.
 * At most as many threads run at once as there are cores, and half of them for one owner; other callers wait,
 * which does not count toward the time limit.
 * @param moduleUrl the module, as `new URL("./x.ts", import.meta.url)`; trusted code, never from a request
 * @throws ThreadError for what `run` threw
 * @throws ThreadOverLimit for a thread that used too much processor time or memory
 * @throws ThreadsBusy if too many calls of the owner are waiting, or the machine gave the thread no time:
 * retry later
 */
export async function runInThread<Result>(
  moduleUrl: URL,
  task: ThreadTask,
  bounds: ThreadBounds = THREAD_BOUNDS,
): Promise<Result> {
  const endTurn = await takeTurn(task.owner);
  try {
    return await runThread<Result>(moduleUrl, task, bounds);
  } finally {
    endTurn();
  }
}

async function runThread<Result>(moduleUrl: URL, task: ThreadTask, bounds: ThreadBounds): Promise<Result> {
  const input: unknown = typeof task.input === "function" ? await task.input() : task.input;
  const bytes = await ownBytes(task);
  const worker = takeIdleThread(bounds.memoryMb) ?? startThread(bounds.memoryMb);
  let isKept = false;
  try {
    const work: ThreadWork = { moduleUrl: moduleUrl.href, bytes, input };
    worker.postMessage(work, [bytes.buffer]);
    const reply = await firstReply(worker, bounds);
    isKept = keepIdle(worker, reply, bounds.memoryMb);
    if (reply.ok) return reply.result as Result;
    throw new ThreadError(reply);
  } finally {
    if (!isKept) await worker.terminate();
  }
}

function startThread(memoryMb: number): Worker {
  return new Worker(new URL("./thread-entry.ts", import.meta.url), {
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: 4,
    },
    env: compileCacheEnv(),
    execArgv: [],
  });
}

function takeIdleThread(memoryMb: number): Worker | null {
  const index = idleThreads.findIndex((each) => each.memoryMb === memoryMb);
  const [taken] = index < 0 ? [] : idleThreads.splice(index, 1);
  if (!taken) return null;
  clearTimeout(taken.ending);
  taken.worker.removeAllListeners("error").removeAllListeners("exit");
  taken.worker.ref();
  return taken.worker;
}

/** Keeps a thread for the next task, unless its work failed, it has grown or enough others wait. */
function keepIdle(worker: Worker, reply: ThreadReply, memoryMb: number): boolean {
  const isDone = reply.ok || reply.code !== undefined;
  if (!isDone || reply.heapBytes > MAX_IDLE_HEAP_BYTES || idleThreads.length >= MAX_IDLE_THREADS)
    return false;
  const drop = () => {
    const index = idleThreads.findIndex((each) => each.worker === worker);
    if (index >= 0) idleThreads.splice(index, 1);
  };
  const ending = setTimeout(() => {
    drop();
    void worker.terminate();
  }, IDLE_MS).unref();
  worker.removeAllListeners("error").removeAllListeners("exit");
  worker.once("error", drop);
  worker.once("exit", drop);
  worker.unref();
  idleThreads.push({ worker, memoryMb, ending });
  return true;
}

/**
 * Returns bytes that can be moved to a thread. Copies a view, because cloning it would copy the whole
 * underlying buffer.
 */
async function ownBytes({ bytes }: ThreadTask): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof bytes !== "function") return new Uint8Array(bytes);
  const read = await bytes();
  const ownsBuffer = read.buffer instanceof ArrayBuffer && read.byteLength === read.buffer.byteLength;
  return ownsBuffer ? new Uint8Array(read.buffer) : new Uint8Array(read);
}

/**
 * Lets threads read the sources that the process compiled, if it has a compile cache. Each thread that strips
 * types itself starts Node's WebAssembly stripper, and many of those at once have crashed the process
 * (nodejs/node issue 64500). Threads get no other environment variables.
 */
function compileCacheEnv(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

async function firstReply(worker: Worker, { cpuMs, timeoutMs }: ThreadBounds): Promise<ThreadReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>();
  worker.once("message", resolve);
  worker.once("error", (error: Error & { code?: string }) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadOverLimit("memory") : error),
  );
  worker.once("exit", () => reject(new ThreadOverLimit("memory")));
  const timer = setTimeout(() => reject(new ThreadsBusy()), timeoutMs);
  const before = usedMs(worker);
  const measure = async () => {
    const ms = (await usedMs(worker)) - (await before);
    if (ms > cpuMs) reject(new ThreadOverLimit("processor time"));
  };
  const meter = setInterval(() => void measure(), CPU_POLL_MS);
  return promise.finally(() => {
    clearTimeout(timer);
    clearInterval(meter);
  });
}

/**
 * Processor time of a thread so far, in milliseconds; 0 if it has ended or Node cannot measure it (before
 * 24.6).
 */
async function usedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}
