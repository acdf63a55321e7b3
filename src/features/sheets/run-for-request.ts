import { WorkbookRefused, WorkbooksBusy } from "#formats/xlsx/refusals.ts";
import { runInWorker, type WorkerTask } from "#formats/xlsx/run-in-worker.ts";
import { AppError, badRequest } from "#platform/errors.ts";

/**
 * Runs a module in a thread for a request that waits for its result; see `runInWorker`.
 * @throws AppError 400 for a workbook that cannot be used; 503 while too many workbooks of the owner are being read
 */
export async function runForRequest<Result>(moduleUrl: URL, task: WorkerTask): Promise<Result> {
  try {
    return await runInWorker<Result>(moduleUrl, task);
  } catch (error) {
    throw toAppError(error);
  }
}

function toAppError(error: unknown): unknown {
  if (error instanceof WorkbookRefused) return badRequest(error.code, error.message);
  if (!(error instanceof WorkbooksBusy)) return error;
  const detail = error.message;
  return new AppError({ status: 503, code: "busy", detail, retryAfterSeconds: 60, cause: error });
}
