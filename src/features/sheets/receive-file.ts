import type { Received } from "#integrations/objects/file-store.ts";
import { AppError } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";

/**
 * Takes a file in and works on it; what the work does not keep is dropped.
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
