import { ThreadOverLimit } from "#platform/threads/errors.ts";
import { runInThread, type ThreadBounds } from "#platform/threads/run-in-thread.ts";

/** Foreign content up to this size is read where it arrives: what a thread costs is more. */
export const MAX_READ_AT_ONCE = 64 * 1024;

type Reader<Result> = {
  /** The module that exports `read` as `run`. */
  module: URL;
  read: (bytes: Uint8Array) => Result | null;
  /** Owner of the turn. */
  owner: string;
  bounds: ThreadBounds;
};

/**
 * Reads foreign content, in a thread if it is large.
 * @returns null for what `read` refuses, and for what takes more than the bounds
 * @throws ThreadsBusy while too many are waiting
 */
export async function readForeign<Result>(
  bytes: Uint8Array,
  { module, read, owner, bounds }: Reader<Result>,
): Promise<Result | null> {
  if (bytes.length <= MAX_READ_AT_ONCE) return read(bytes);
  try {
    return await runInThread<Result | null>(module, { bytes, input: null, owner }, bounds);
  } catch (error) {
    if (error instanceof ThreadOverLimit) return null;
    throw error;
  }
}
