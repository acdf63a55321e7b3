import { flushCompileCache } from "node:module";
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";

/** A thread's reply; errors are sent as data because their class is lost in the transfer. */
export type ThreadReply = Outcome & {
  /** Size of the thread's heap. */
  heapBytes: number;
};

type Outcome =
  | { ok: true; result: unknown }
  | { ok: false; thrown: string; code: string | undefined; params: unknown; message: string };

/** One task, as it is sent to the thread. */
export type ThreadWork = { moduleUrl: string; bytes: Uint8Array; input: unknown };
type WorkModule = { run(bytes: Uint8Array, input: unknown): unknown };

async function work({ moduleUrl, bytes, input }: ThreadWork): Promise<Outcome> {
  try {
    const module = (await import(moduleUrl)) as WorkModule;
    return { ok: true, result: await module.run(bytes, input) };
  } catch (error) {
    if (!(error instanceof Error))
      return { ok: false, thrown: typeof error, code: undefined, params: undefined, message: String(error) };
    const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
    // An error with a code is meant for the caller; any other is a bug and includes its stack.
    return {
      ok: false,
      thrown: error.name,
      code,
      params: "params" in error ? error.params : undefined,
      message: code === undefined ? (error.stack ?? error.message) : error.message,
    };
  }
}

parentPort?.on("message", (task: ThreadWork) => void answer(task));

async function answer(task: ThreadWork): Promise<void> {
  const outcome = await work(task);
  // The thread may be ended right after its reply, too early for Node to write its cache by itself.
  flushCompileCache();
  parentPort?.postMessage({
    ...outcome,
    heapBytes: getHeapStatistics().total_heap_size,
  } satisfies ThreadReply);
}
