import pg from "pg";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";

const RECONNECT_MS = 2_000;

/**
 * Calls `onNotify` with the payload of every NOTIFY on a channel, over a dedicated connection. Reopens a lost
 * connection; notifications in the meantime are lost.
 * @returns a function that closes the connection
 */
export async function listen(
  connectionString: string,
  { channel, log, clock }: { channel: string; log: Log; clock: Clock },
  onNotify: (payload: string) => void,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let client: pg.Client | null = null;

  const connect = async () => {
    // It is idle for hours, and networks drop such connections without a word.
    const fresh = new pg.Client({ connectionString, keepAlive: true });
    fresh.on("notification", ({ payload }) => onNotify(payload ?? ""));
    fresh.on("error", (error) => log.warn({ err: error, channel }, "A listening connection was lost"));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    // Only now: a refused connection also ends, and would start a second retry loop.
    fresh.once("end", () => void reconnect());
    client = fresh;
  };

  const reconnect = async (): Promise<void> => {
    await clock.sleep(RECONNECT_MS, stop.signal);
    if (stop.signal.aborted) return;
    await connect().catch((error: unknown) => {
      log.warn({ err: error, channel }, "The database cannot be listened to yet");
      return reconnect();
    });
  };

  await connect();
  return async () => {
    stop.abort();
    await client?.end();
  };
}
