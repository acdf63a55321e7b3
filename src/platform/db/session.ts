import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type { Presence } from "#platform/db/presence.ts";
import { databaseFailure, isAway, isSurelyUndone } from "#platform/db/failure.ts";

export type Statement = { text: string; parameters: readonly unknown[] };
type Answer = Pick<pg.QueryResult, "command" | "rowCount" | "rows">;

/** Between two attempts to find the next primary, so that a planned change of it is noticed soon. */
const RETRY_MS = 100;
/** A longer transaction is work of a run, which is repeated as a whole. */
const MAX_STATEMENTS = 200;

const BEGINS = /^(begin|start transaction)\b/i;
const ENDS = /^(commit|rollback)$/i;
const UNDOES = /^rollback$/i;
/** Without a transaction a read may be repeated. */
const READS = /^\s*(\/\*.*?\*\/\s*)?(select|with)\b(?!.*\b(insert|update|delete|merge)\b)/is;
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
  /** Of the open transaction; null if it can't be repeated. */
  let statements: { statement: Statement; answer: Answer }[] | null = [];

  const repeat = async (client: pg.PoolClient): Promise<void> => {
    for (const { statement, answer } of statements ?? []) {
      const { rowCount, rows } = await send(client, statement);
      if (!isDeepStrictEqual([rowCount, rows], [answer.rowCount, answer.rows])) throw new ChangedError();
    }
  };

  /** Connects, and repeats the transaction. */
  const connect = async (startedAt: number): Promise<pg.PoolClient> => {
    for (;;) {
      let client: pg.PoolClient | null = null;
      try {
        client = await take(Math.max(0, holdMs - (performance.now() - startedAt)));
        await repeat(client);
        return client;
      } catch (error) {
        client?.release(true);
        const failure = presence.fail(error);
        if (!isAway(failure)) throw failure;
        await wait(RETRY_MS);
        if (!presence.isWorthWaiting(startedAt, holdMs)) throw failure;
      }
    }
  };

  /** Null once it was lost, or given back. */
  let client: pg.PoolClient | null = await connect(performance.now());
  /** After a rollback, statements that were sent beside the one that failed would each be done alone. */
  let isUndone = false;

  const keep = (statement: Statement, answer: Answer) => {
    if (ENDS.test(statement.text)) statements = [];
    else if (statements === null) return;
    else if (LOCKS.test(statement.text) || statements.length === MAX_STATEMENTS) statements = null;
    else if (statements.length > 0 || BEGINS.test(statement.text)) statements.push({ statement, answer });
  };

  const mayRepeat = ({ text }: Statement, failure: unknown): boolean => {
    if (!isAway(failure) || statements === null) return false;
    if (isSurelyUndone(failure)) return !UNDOES.test(text);
    return statements.length > 0 ? !ENDS.test(text) : BEGINS.test(text) || READS.test(text);
  };

  const query = async (statement: Statement): Promise<Answer> => {
    const startedAt = performance.now();
    if (isUndone && !BEGINS.test(statement.text))
      throw new Error("The transaction of this statement was rolled back.");
    isUndone = UNDOES.test(statement.text);
    for (;;) {
      const used = client;
      if (used === null) throw databaseFailure(new Error("The session has lost its server."));
      try {
        const answer = await send(used, statement);
        presence.answered();
        keep(statement, answer);
        return answer;
      } catch (error) {
        const failure = presence.fail(error);
        if (!mayRepeat(statement, failure) || !presence.isWorthWaiting(startedAt, holdMs)) throw failure;
        used.release(true);
        client = null;
        const next = await connect(startedAt).catch((reason: unknown) => {
          throw reason instanceof ChangedError ? failure : reason;
        });
        // The transaction may have been given up meanwhile.
        if (isUndone) next.release(true);
        else client = next;
      }
    }
  };

  return {
    query,
    release: (destroy?: boolean) => {
      client?.release(destroy);
      client = null;
    },
  };
}

/** Sends a statement within its limit. */
type Send = (client: pg.PoolClient, statement: Statement) => Promise<Answer>;

/** Says that rows which the transaction read have changed since. */
class ChangedError extends Error {}
