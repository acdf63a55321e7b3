import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import { ThreadError, ThreadOverLimit, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread, type ThreadBounds, type ThreadTask } from "#platform/threads/run-in-thread.ts";

/**
 * Runs a module that reads a file in a thread of its own; see `runInThread`.
 * @throws WorkbookRefused as the module threw it, or for a file that took too much processor time or memory
 * @throws ThreadsBusy when it could not be read now
 */
export async function readInThread<Result>(
  moduleUrl: URL,
  task: ThreadTask,
  bounds?: ThreadBounds,
): Promise<Result> {
  try {
    return await runInThread<Result>(moduleUrl, task, bounds);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/**
 * The same for a request that waits for the result.
 * @throws AppError 400 for a file that cannot be used; 503 while too many files of the owner are being read
 */
export async function readForRequest<Result>(moduleUrl: URL, task: ThreadTask): Promise<Result> {
  try {
    return await readInThread<Result>(moduleUrl, task);
  } catch (error) {
    if (error instanceof WorkbookRefused) throw badRequest(error.code, error.message);
    if (error instanceof ThreadsBusy) throw busy(error);
    throw error;
  }
}

function refusalOf(error: unknown): WorkbookRefused | undefined {
  if (error instanceof ThreadOverLimit) return OVER_LIMIT[error.limit]();
  if (!(error instanceof ThreadError) || error.thrown !== WorkbookRefused.name) return undefined;
  return new WorkbookRefused(error.code ?? "", error.message);
}

const OVER_LIMIT = {
  "processor time": () =>
    new WorkbookRefused("took_too_long", `Reading the selected file took too long. ${FEWER_ROWS}`),
  memory: () =>
    new WorkbookRefused("too_much_memory", `The selected file needs too much memory to read. ${FEWER_ROWS}`),
};

const FEWER_ROWS = "Copy only the rows you need into a new workbook and upload that file.";

const busy = (cause: Error) =>
  new AppError({
    status: 503,
    code: "busy",
    detail: "Many workbooks are being read at the moment. Try again in a minute.",
    retryAfterSeconds: 60,
    cause,
  });
