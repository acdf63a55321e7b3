import { sql } from "kysely";
import { within } from "#platform/clock.ts";
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

/**
 * `completeUntil`: nothing that was committed before is missing on the replica. `failed` is called if the read fails, so that
 * the next one is from the primary.
 */
export type ChosenReplica = {
  connectionString: string;
  lagSeconds: number;
  completeUntil: Date;
  failed(): void;
};

/** `fault`: why the primary is read instead, in one sentence. */
export type ReplicaState = { lagSeconds: number | null; fault: string | null };

/** Beyond this a list would mislead, and a backup lacks too much. */
const MAX_LAG_SECONDS = 60;
/** After a failure the replica is left alone for this time, so that its callers don't each wait for it. */
const RETRY_AFTER_MS = 30_000;
/** Time in which the replica must describe itself, so that neither a list nor a health check waits for one that hangs. */
const DESCRIBE_MS = 1_000;
/** A replica that was cut off from its primary notices that after this time (`wal_receiver_timeout`), and says 0 s until then. */
const CUT_OFF_MS = 60_000;
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
  const describe = async (): Promise<ReplicaState> => {
    const state = await within(
      clock,
      DESCRIBE_MS,
      findState(replica.db, db).catch(() => null),
    );
    if (state !== null) return state;
    failed();
    return { lagSeconds: null, fault: AWAY };
  };
  const findUsable = async () => {
    if (failedAt !== null && clock.steadyMs() - failedAt < RETRY_AFTER_MS) return null;
    const { lagSeconds, fault } = await describe();
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
      const now = clock.now().getTime();
      const lagSeconds = await findUsable();
      if (lagSeconds === null) return null;
      const completeUntil = new Date(now - lagSeconds * 1_000 - CUT_OFF_MS);
      return { connectionString: url, lagSeconds, completeUntil, failed };
    },
    describe,
    close: replica.close,
  };
}

const AWAY =
  "The server of REPLICA_DATABASE_URL doesn't answer, so lists, exports, and backups are read from the primary: start it, or remove the variable.";
const FOREIGN =
  "REPLICA_DATABASE_URL is another database than DATABASE_URL, so it isn't read: set it to a replica of that one.";

const PROMOTED =
  "The server of REPLICA_DATABASE_URL isn't a replica: it takes changes of its own. Lists, exports, and backups are read from the primary: make it a replica of that again, or remove the variable.";
const UNKNOWN_LAG =
  "The replica doesn't say how far it is behind, because it receives nothing from the primary, so lists, exports, and backups are read from the primary.";

type Identity = { installation: string | null; server: string };
/** `lag`: seconds; null if the server can't say. */
type Facts = Identity & { isReplica: boolean; lag: number | null };

const IDENTITY = sql`(select id::text from installation) as installation, pg_postmaster_start_time()::text as server`;

/**
 * A replica that applied all it received is up to date while it receives. One that receives nothing may lack anything since
 * its last transaction.
 */
const FACTS = sql<Facts>`select ${IDENTITY}, pg_is_in_recovery() as "isReplica",
  case when not pg_is_in_recovery() then 0
    when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
    else extract(epoch from now() - pg_last_xact_replay_timestamp()) end::float8 as lag`;

async function findState(replica: Db, primary: Db): Promise<ReplicaState> {
  const { rows } = await FACTS.execute(replica);
  const { rows: own } = await sql<Identity>`select ${IDENTITY}`.execute(primary);
  const [facts] = rows;
  const refuse = (fault: string): ReplicaState => ({ lagSeconds: null, fault });
  if (!facts || facts.installation !== own[0]?.installation) return refuse(FOREIGN);
  // The primary itself by another address is read without a delay.
  if (!facts.isReplica && facts.server !== own[0].server) return refuse(PROMOTED);
  if (facts.lag === null) return refuse(UNKNOWN_LAG);
  const lagSeconds = Math.max(0, Math.round(facts.lag * 10) / 10);
  if (lagSeconds <= MAX_LAG_SECONDS) return { lagSeconds, fault: null };
  const fault = `The replica is ${Math.round(lagSeconds)} s behind, so lists, exports, and backups are read from the primary until it is at most ${MAX_LAG_SECONDS} s behind.`;
  return { lagSeconds, fault };
}
