import { AWAY_RETRIES, AWAY_RETRY_MS, isAway } from "#web/kit/api-error.ts";
import { warnOfLeaving } from "#web/kit/use-leave-warning.ts";

const listeners = new Set<() => void>();
let waiting = 0;

/** Files of this page that are waiting to be sent again. */
export const waitingFiles = {
  count: () => waiting,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function addWaiting(change: 1 | -1) {
  waiting += change;
  for (const listener of listeners) listener();
}

/**
 * Sends a file again while the server's database is away, so that the user doesn't have to; the frame says so meanwhile. If
 * an earlier attempt was accepted and its answer lost, the server recognizes the file.
 * @param send ends at once when the signal is aborted
 */
export async function sendUntilBack<Answer>(
  send: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!isAway(error)) throw error;
  }
  addWaiting(1);
  const endWarning = warnOfLeaving();
  try {
    for (let retries = 1; ; retries += 1) {
      await pause(signal);
      try {
        return await send();
      } catch (error) {
        if (!isAway(error) || retries === AWAY_RETRIES) throw error;
      }
    }
  } finally {
    endWarning();
    addWaiting(-1);
  }
}

const pause = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, AWAY_RETRY_MS);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
