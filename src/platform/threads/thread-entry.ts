import { flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

/** A thread's reply; errors are sent as data because their class is lost in the transfer. */
export type ThreadReply =
  | { ok: true; result: unknown }
  | { ok: false; thrown: string; code: string | undefined; params: unknown; message: string };

type Work = { moduleUrl: string; bytes: Uint8Array; input: unknown };
type WorkModule = { run(bytes: Uint8Array, input: unknown): unknown };

const { moduleUrl, bytes, input } = workerData as Work;

async function work(): Promise<ThreadReply> {
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

const reply = await work();
// The thread is ended right after its reply, too early for Node to write its cache by itself.
flushCompileCache();
parentPort?.postMessage(reply);
