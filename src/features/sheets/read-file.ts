import type { Received } from "#integrations/objects/receive-file.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";
import { FileRefused, type Params } from "#formats/facts.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";
import { ThreadError, ThreadOverLimit, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread, type ThreadBounds, type ThreadTask } from "#platform/threads/run-in-thread.ts";

/**
 * Receives an uploaded file, passes it to `work`, and deletes it unless `work` kept it.
 * @throws AppError 413 over the size limit
 */
export async function receiveFile<T>(
  ctx: SheetsCtx,
  file: IncomingFile,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  const received = await ctx.objects.receive(file.stream);
  try {
    if (file.isCut()) {
      throw new AppError({
        status: 413,
        code: "file_too_large",
        detail: `The selected file must be smaller than ${MAX_FILE_BYTES / 1024 / 1024} MB.`,
      });
    }
    return await work(received);
  } finally {
    await received.drop();
  }
}

/**
 * Runs a module that reads a file in a thread of its own; see `runInThread`.
 * @throws FileRefused as the module threw it, or for a file that took too much processor time or memory
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
    throw toRefusal(error) ?? error;
  }
}

/**
 * Does the same for a request that waits for the result.
 * @param kind expected kind of sheet
 * @throws AppError 400 for a file that cannot be used; 503 while too many files of the owner are being read
 */
export async function readForRequest<Result>(
  kind: SheetKind,
  moduleUrl: URL,
  task: ThreadTask,
): Promise<Result> {
  try {
    return await readInThread<Result>(moduleUrl, task);
  } catch (error) {
    if (error instanceof ThreadsBusy) throw busyReply(error);
    if (!(error instanceof FileRefused)) throw error;
    const { code, detail } = refusalReply(kind, error);
    throw badRequest(code, detail);
  }
}

function toRefusal(error: unknown): FileRefused | undefined {
  if (error instanceof ThreadOverLimit) return new FileRefused(OVER_LIMIT[error.limit]);
  if (!(error instanceof ThreadError) || error.thrown !== FileRefused.name) return undefined;
  return new FileRefused(error.code ?? "", error.params as Params);
}

const OVER_LIMIT = { "processor time": "took_too_long", memory: "too_much_memory" };

/** Reply for an owner who already has too many files waiting. */
export const busyReply = (cause: Error): AppError =>
  new AppError({
    status: 503,
    code: "busy",
    detail: "Many files are being read at the moment. Try again in a minute.",
    retryAfterSeconds: 60,
    cause,
  });
