import { sql } from "kysely";
import type { Ctx } from "#platform/ctx.ts";
import { connectDatabase, type Db } from "#platform/db/connect.ts";

/** Where lists of operators, exports and backups are read: a replica, or the primary without one. */
export type Reads = {
  /**
   * Reads from the replica, and from the primary where the replica fails or is too far behind: then `read` is called twice.
   * @returns what was read, and how many seconds the replica was behind; null for the primary
   */
  read<T>(read: (db: Db) => Promise<T>): Promise<{ value: T; lagSeconds: number | null }>;
  /** Chooses the server for a long read by a connection of its own; null for the primary. */
  choose(): Promise<ChosenReplica | null>;
  /** State of the replica; null without one. */
  describe(): Promise<ReplicaState | null>;
  close(): Promise<void>;
};

/** `failed` is called if the read fails, so that the next one is from the primary. */
export type ChosenReplica = { connectionString: string; lagSeconds: number; failed(): void };

/** `fault`: why the primary is read instead, in one sentence. */
export type ReplicaState = { lagSeconds: number | null; fault: string | null };

/** Beyond this a list would mislead, and a backup lacks too much. */
const MAX_LAG_SECONDS = 60;
/** A replica that failed is tried again after this; its callers must not each wait for it. */
const TRIED_AGAIN_MS = 30_000;
/** Few, because only operators and exports use it. */
const LIMITS = { max: 4, connectMs: 1_000, statementMs: 5_000 };

/** @param url null to read everything from the primary, which is `db` */
export function openReads(url: string | null, { db, clock, log }: Pick<Ctx, "db" | "clock" | "log">): Reads {
  if (url === null)
    return {
      read: async (read) => ({ value: await read(db), lagSeconds: null }),
      choose: async () => null,
      describe: async () => null,
      close: async () => {},
    };
  const replica = connectDatabase(url, log.child({ database: "replica" }), LIMITS);
  let failedAt: number | null = null;
  const failed = () => {
    failedAt = clock.steadyMs();
  };
  const find = async (): Promise<ReplicaState> => {
    try {
      const state = await findState(replica.db, db);
      failedAt = null;
      return state;
    } catch {
      failed();
      return { lagSeconds: null, fault: AWAY };
    }
  };
  const isResting = () => failedAt !== null && clock.steadyMs() - failedAt < TRIED_AGAIN_MS;
  const findUsable = async () => {
    if (isResting()) return null;
    const { lagSeconds, fault } = await find();
    return fault === null ? lagSeconds : null;
  };
  return {
    read: async (read) => {
      const lagSeconds = await findUsable();
      if (lagSeconds === null) return { value: await read(db), lagSeconds };
      try {
        return { value: await read(replica.db), lagSeconds };
      } catch {
        // Whatever it was: a mistake in the statement fails at the primary, too.
        failed();
        return { value: await read(db), lagSeconds: null };
      }
    },
    choose: async () => {
      const lagSeconds = await findUsable();
      return lagSeconds === null ? null : { connectionString: url, lagSeconds, failed };
    },
    describe: find,
    close: replica.close,
  };
}

const AWAY =
  "The server of REPLICA_DATABASE_URL doesn't answer, so lists, exports and backups are read from the primary: start it, or remove the variable.";
const FOREIGN =
  "REPLICA_DATABASE_URL is another database than DATABASE_URL, so it isn't read: set it to a replica of that one.";

type Facts = { installation: string | null; lag: number };

/**
 * A replica that applied all it received is up to date while it receives. One that receives nothing may lack anything since
 * its last transaction.
 */
const FACTS = sql<Facts>`select (select id::text from installation) as installation,
  case when not pg_is_in_recovery() then 0
    when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
    else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as lag`;

async function findState(replica: Db, primary: Db): Promise<ReplicaState> {
  const { rows } = await FACTS.execute(replica);
  const { rows: own } = await sql<Pick<Facts, "installation">>`select (select id::text from installation)
    as installation`.execute(primary);
  const [facts] = rows;
  if (!facts || facts.installation !== own[0]?.installation) return { lagSeconds: null, fault: FOREIGN };
  const lagSeconds = Math.max(0, Math.round(facts.lag * 10) / 10);
  if (lagSeconds <= MAX_LAG_SECONDS) return { lagSeconds, fault: null };
  const fault = `The replica is ${Math.round(lagSeconds)} s behind, so lists, exports and backups are read from the primary until it is at most ${MAX_LAG_SECONDS} s behind.`;
  return { lagSeconds, fault };
}
