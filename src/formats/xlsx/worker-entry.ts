import { flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { WorkbookRefused } from "./refusals.ts";

/** What the thread answers; errors travel as data since their class does not survive the way. */
export type WorkerReply =
  | { ok: true; result: unknown }
  | { ok: false; refused: boolean; code: string; message: string };

type Work = { moduleUrl: string; bytes: Uint8Array; input: unknown };
type WorkModule = { run(bytes: Uint8Array, input: unknown): unknown };

const { moduleUrl, bytes, input } = workerData as Work;

async function work(): Promise<WorkerReply> {
  try {
    const module = (await import(moduleUrl)) as WorkModule;
    return { ok: true, result: await module.run(bytes, input) };
  } catch (error) {
    if (error instanceof WorkbookRefused)
      return { ok: false, refused: true, code: error.code, message: error.message };
    return {
      ok: false,
      refused: false,
      code: "bug",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

const reply = await work();
// The thread is ended as soon as it has answered, too early for Node to write its cache by itself.
flushCompileCache();
parentPort?.postMessage(reply);
