import { isAway } from "#web/kit/api-error.ts";

/** Together a minute, within which another server is the database's primary. */
const [RETRIES, RETRY_MS] = [12, 5_000];

type Options = {
  signal: AbortSignal;
  /** Called with true when the wait begins, and with false at its end. */
  waiting: (isWaiting: boolean) => void;
};

/**
 * Sends a file again while the server's database is away, so that the user doesn't have to. If an earlier attempt was
 * accepted and its answer lost, the server recognizes the file.
 * @param send ends at once when the signal is aborted
 */
export async function sendUntilBack<Answer>(
  send: () => Promise<Answer>,
  { signal, waiting }: Options,
): Promise<Answer> {
  try {
    for (let retries = 0; ; retries += 1) {
      try {
        return await send();
      } catch (error) {
        if (!isAway(error) || retries === RETRIES) throw error;
        waiting(true);
        await pause(signal);
      }
    }
  } finally {
    waiting(false);
  }
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
