import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { WorkbookRefused } from "./refusals.ts";
import { takeTurn } from "./take-turn.ts";

export type WorkerBounds = {
  /** Wall-clock limit, milliseconds; the thread is ended at it. */
  timeoutMs: number;
  /** Heap limit of the thread, megabytes. */
  memoryMb?: number;
  signal?: AbortSignal;
};

/** A small one keeps short-lived objects from filling 60 MB before they are collected, and costs no time. */
const YOUNG_GENERATION_MB = 6;

export const WORKER_BOUNDS = { timeoutMs: 20_000, memoryMb: 512 } as const;

/** What the thread answers; errors travel as data since their class does not survive the way. */
export type WorkerReply =
  | { ok: true; result: unknown }
  | { ok: false; refused: boolean; code: string; message: string };

/**
 * Runs a module's exported function `run(bytes, input)` in a thread of its own, so that a large or hostile workbook
 * can neither block the server nor exhaust its memory. Only `run`'s result is copied back: let it be small.
 * No more threads run at once than there are cores; further callers wait, which the time limit does not count.
 * @param moduleUrl the module, as `new URL("./x.ts", import.meta.url)`; trusted code, never from a request
 * @param work `bytes` are copied to the thread and stay usable; `input` must be cloneable
 * @throws WorkbookRefused as `run` threw it, or for a thread that took too long or too much memory
 * @throws WorkbooksBusy when too many callers wait already
 * @throws the signal's reason when aborted; Error when `run` has a bug
 */
export async function runInWorker<Result>(
  moduleUrl: URL,
  work: { bytes: Uint8Array; input: unknown },
  bounds: WorkerBounds = WORKER_BOUNDS,
): Promise<Result> {
  const endTurn = await takeTurn(bounds.signal);
  try {
    return await runThread<Result>(moduleUrl, work, bounds);
  } finally {
    endTurn();
  }
}

async function runThread<Result>(
  moduleUrl: URL,
  work: { bytes: Uint8Array; input: unknown },
  bounds: WorkerBounds,
): Promise<Result> {
  // Cloning a view would copy the whole buffer behind it; a copy of the view alone is moved instead.
  const bytes = new Uint8Array(work.bytes);
  const worker = new Worker(new URL("./worker-entry.ts", import.meta.url), {
    workerData: { moduleUrl: moduleUrl.href, bytes, input: work.input },
    transferList: [bytes.buffer],
    resourceLimits: {
      maxOldGenerationSizeMb: bounds.memoryMb ?? WORKER_BOUNDS.memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: 4,
    },
    env: cacheOfSources(),
    execArgv: [],
  });
  try {
    const reply = await firstReply(worker, bounds);
    if (reply.ok) return reply.result as Result;
    if (reply.refused) throw new WorkbookRefused(reply.code, reply.message);
    throw new Error(`Reading a workbook failed: ${reply.message}`);
  } finally {
    await worker.terminate();
  }
}

/**
 * Threads read the sources that the process compiled before, when it keeps a compile cache. Each thread that strips
 * types by itself starts Node's WebAssembly stripper, and many of those at once have crashed the process
 * (nodejs/node issue 64500). Nothing else of the environment reaches a thread.
 */
function cacheOfSources(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function firstReply(worker: Worker, { timeoutMs, signal }: WorkerBounds): Promise<WorkerReply> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    const timer = setTimeout(() => reject(tookTooLong()), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.once("message", (reply: WorkerReply) => {
      settle();
      resolve(reply);
    });
    worker.once("error", (error: Error & { code?: string }) => {
      settle();
      reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error);
    });
    worker.once("exit", () => {
      settle();
      reject(tooMuchMemory());
    });
  });
}

function tookTooLong(): WorkbookRefused {
  return new WorkbookRefused(
    "took_too_long",
    "Reading the selected file took too long. Copy only the rows you need into a new workbook and upload that file.",
  );
}

function tooMuchMemory(): WorkbookRefused {
  return new WorkbookRefused(
    "too_much_memory",
    "The selected file needs too much memory to read. Copy only the rows you need into a new workbook and upload that file.",
  );
}
