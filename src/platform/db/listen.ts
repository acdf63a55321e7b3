import pg from "pg";
import { every, within, type Clock } from "#platform/clock.ts";
import { databaseFailure, chooseLevel } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";

const RECONNECT_MS = 2_000;
const CONNECT_MS = 10_000;
/** A connection is silent for hours, and one to a server that is gone looks the same: it is asked. */
const ASK_EVERY_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Calls `onNotify` with the payload of every NOTIFY on a channel, over a dedicated connection. Reopens a lost or silent
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
  let stopAsking = () => undefined as void;

  const connect = async () => {
    const fresh = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    fresh.on("notification", ({ payload }) => onNotify(payload ?? ""));
    fresh.on("error", (error) => log.debug({ err: error, channel }, "A listening connection was lost"));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    // Closed meanwhile, when there was nothing to close yet.
    if (stop.signal.aborted) return fresh.end();
    stopAsking = every(clock, ASK_EVERY_MS, () => void ask(fresh));
    // Only now: a refused connection also ends, and would start a second retry loop.
    fresh.once("end", () => {
      stopAsking();
      void reconnect();
    });
    client = fresh;
  };

  /** Ends a connection that doesn't answer, which opens another one. */
  const ask = async (asked: pg.Client): Promise<void> => {
    const answer = await within(clock, ANSWER_WITHIN_MS, asked.query("select 1")).catch(() => null);
    if (answer === null) await asked.end().catch(() => undefined);
  };

  const reconnect = async (): Promise<void> => {
    await clock.sleep(RECONNECT_MS, stop.signal);
    if (stop.signal.aborted) return;
    await connect().catch((error: unknown) => {
      log[chooseLevel(databaseFailure(error))](
        { err: error, channel },
        "The database cannot be listened to yet",
      );
      return reconnect();
    });
  };

  await connect();
  return async () => {
    stop.abort();
    stopAsking();
    await client?.end();
  };
}
