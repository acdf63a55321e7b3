import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { databaseFailure, isAway, isOfReplica, isSurelyUndone } from "#platform/db/failure.ts";
import type { Presence } from "#platform/db/presence.ts";

export type Statement = { text: string; parameters: readonly unknown[] };
type Answer = Pick<pg.QueryResult, "command" | "rowCount" | "rows">;

/** Between two attempts at the next primary, so that a planned change of it is noticed soon. */
const RETRY_MS = 100;
/** A longer transaction is work of a run, which is repeated as a whole. */
const MAX_STATEMENTS = 200;

const BEGINS = /^(begin|start transaction)\b/i;
const ENDS = /^(commit|rollback)$/i;
const ROLLBACK = /^rollback$/i;
/** Without a transaction a read may be repeated. */
const READS = /^\s*(\/\*.*?\*\/\s*)?(select|with)\b(?!.*\b(insert|update|delete|merge)\b)/is;
/** A replica refuses these, while it answers everything else. */
const CHANGES = /^(insert|update|delete|merge)$/i;
/** Such a lock protects more than what its transaction reads, so that another could do the same work in between. */
const LOCKS = /advisory/i;

/**
 * A session that outlives its server: where nothing can have been done, a statement is repeated at the next primary, after the
 * statements of its transaction. These must have the same results as before, so that the transaction is as good as one that
 * began later. A commit whose answer was lost is not repeated.
 * @param take connects within the time that is left
 * @param holdMs how long a call waits for the next primary, from its statement and from the beginning of the outage
 */
export async function openSession(
  { take, send, presence }: { take: (ms: number) => Promise<pg.PoolClient>; send: Send; presence: Presence },
  holdMs: number,
) {
  /** Statements of the open transaction; null if it can't be repeated. */
  let statements: { statement: Statement; answer: Answer }[] | null = [];
  let isReleased = false;
  /** After a rollback, statements that were sent alongside the one that failed would each be done alone. */
  let isRolledBack = false;

  const hasTime = (startedAt: number) => presence.isWorthWaiting(startedAt, holdMs);

  /** @throws ChangedError if a statement has another result than before, or fails otherwise than by the server's absence */
  const repeat = async (fresh: pg.PoolClient, startedAt: number): Promise<void> => {
    for (const { statement, answer } of statements ?? []) {
      if (performance.now() - startedAt >= holdMs) throw new ChangedError("There was no time to find out.");
      const { rowCount, rows } = await send(fresh, statement).catch((error: unknown) => {
        throw isAway(databaseFailure(error)) ? error : new ChangedError("It failed.", { cause: error });
      });
      if (!isDeepStrictEqual([rowCount, rows], [answer.rowCount, answer.rows])) throw new ChangedError();
    }
  };

  /** Connects, and repeats the transaction. */
  const connect = async (startedAt: number): Promise<pg.PoolClient> => {
    for (;;) {
      let fresh: pg.PoolClient | null = null;
      try {
        fresh = await take(Math.max(0, holdMs - (performance.now() - startedAt)));
        await repeat(fresh, startedAt);
        return fresh;
      } catch (error) {
        fresh?.release(true);
        if (error instanceof ChangedError) throw error;
        const failure = presence.fail(error);
        if (!isAway(failure)) throw failure;
        await wait(RETRY_MS);
        if (isReleased || !hasTime(startedAt)) throw failure;
      }
    }
  };

  let client: pg.PoolClient | null = await connect(performance.now());

  const keep = (statement: Statement, answer: Answer) => {
    if (ENDS.test(statement.text)) statements = [];
    else if (statements === null) return;
    else if (LOCKS.test(statement.text) || statements.length === MAX_STATEMENTS) statements = null;
    else if (statements.length > 0 || BEGINS.test(statement.text)) statements.push({ statement, answer });
  };

  const mayRepeat = ({ text }: Statement, failure: unknown): boolean => {
    if (!isAway(failure) || statements === null) return false;
    if (isSurelyUndone(failure)) return true;
    return statements.length > 0 ? !ENDS.test(text) : BEGINS.test(text) || READS.test(text);
  };

  /** Replaces a lost connection. @throws the failure itself if the transaction can't be repeated */
  const reconnect = async (startedAt: number, failure: unknown): Promise<void> => {
    // A replica that takes no changes answers at once, and would be asked as fast as it can connect.
    await wait(RETRY_MS);
    if (isReleased || !hasTime(startedAt)) throw failure;
    const next = await connect(startedAt).catch((error: unknown) => {
      throw error instanceof ChangedError ? failure : error;
    });
    // It would never be given back, and may have an open transaction.
    if (isReleased) next.release(true);
    else client = next;
  };

  const query = async (statement: Statement): Promise<Answer> => {
    const startedAt = performance.now();
    if (isRolledBack && !BEGINS.test(statement.text))
      throw new Error("The transaction of this statement was rolled back.");
    isRolledBack = ROLLBACK.test(statement.text);
    let wasRefused = false;
    for (;;) {
      // A lost server has done it, and the caller learns why it wanted to.
      if (client === null && ROLLBACK.test(statement.text))
        return { command: "ROLLBACK", rowCount: null, rows: [] };
      // No news of the server, which may be back.
      if (client === null) throw databaseFailure(new Error("The session has lost its server."));
      const used = client;
      try {
        const answer = await send(used, statement);
        presence.answered(used, wasRefused || CHANGES.test(answer.command));
        keep(statement, answer);
        return answer;
      } catch (error) {
        const failure = presence.fail(error);
        wasRefused ||= isOfReplica(failure);
        const isRepeatable = mayRepeat(statement, failure);
        // The caller may act on this failure, which a repeat would not have.
        if (statements !== null && statements.length > 0 && !isAway(failure)) statements = null;
        if (isAway(failure) && client === used) {
          used.release(true);
          client = null;
        }
        if (client === null && ROLLBACK.test(statement.text)) continue;
        if (!isRepeatable) throw failure;
        await reconnect(startedAt, failure);
      }
    }
  };

  return {
    query,
    release: (destroy?: boolean) => {
      isReleased = true;
      client?.release(destroy);
      client = null;
    },
  };
}

/** Sends a statement within its limit. */
type Send = (client: pg.PoolClient, statement: Statement) => Promise<Answer>;

/** Says that the transaction would not be the same as before: rows that it read have changed since. */
class ChangedError extends Error {}
