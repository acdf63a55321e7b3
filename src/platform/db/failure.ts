import pg from "pg";
import { AppError } from "#platform/errors.ts";

/**
 * SQLSTATE classes and codes not caused by the statement: connection, resources, shutdown, time limits,
 * standby, and a database that is closed for connections.
 */
const OUTAGE = /^(08|53|57P|58)|^(57014|25P03|25006|55000)$/;
/** The server responds, but a statement or its transaction took too long, or a limit of it was reached. */
const PRESENT = /^(53|57014$|25P03$|55000$)/;
const DISK_FULL = "53100";
const READ_ONLY = "25006";
/** PostgreSQL's answer of a standby about an unlogged table, under the code of all that it doesn't support. */
const UNLOGGED = { code: "0A000", words: "during recovery" };
const RETRY_AFTER_SECONDS = 5;

/**
 * Converts a database failure for the caller: AppError 503 for an absent, frozen or full server, else the
 * error itself, which is a mistake in one of our statements. The outcome of a commit with a lost answer is
 * unknown.
 */
export function databaseFailure(error: unknown): unknown {
  // Without a code from the server the connection itself failed, in one of the driver's or the system's many
  // ways.
  if (error instanceof pg.DatabaseError && !OUTAGE.test(error.code ?? "") && !isOfStandby(error))
    return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const isFull = error instanceof pg.DatabaseError && error.code === DISK_FULL;
  return new AppError({
    status: 503,
    code: isFull ? "database_full" : "database_unavailable",
    detail: isFull
      ? "The database has no space left. Tell this server's operator, and try again later."
      : "The database isn't responding right now. Wait a moment and try again.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/** Whether the database didn't answer in time or at all. */
export const isUnavailable = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "database_unavailable";

/**
 * Whether a failure is of a database that is away: gone, frozen, restarting, or no longer the primary. Neither a call nor a run
 * is to blame for it.
 */
export function isAway(error: unknown): boolean {
  // Several things were tried.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway);
  if (!isUnavailable(error)) return false;
  const { cause } = error;
  return !(cause instanceof pg.DatabaseError && PRESENT.test(cause.code ?? ""));
}

/**
 * Whether a failed statement has done nothing: it was sent to a replica, or to a session that was ended before. PostgreSQL ends
 * a session that has committed, and waits only for a standby, without this answer.
 */
export function isSurelyUndone(failure: unknown): boolean {
  const cause = failure instanceof AppError ? failure.cause : failure;
  if (cause instanceof pg.DatabaseError) return cause.code === "57P01" || isOfStandby(cause);
  return cause instanceof Error && cause.message.includes("is not queryable");
}

/** Whether a failed call found no free connection, which says nothing of the server: those who use them will notice. */
export const isExhausted = (failure: unknown): boolean =>
  failure instanceof AppError && failure.cause instanceof Error && NONE_FREE.test(failure.cause.message);
/** The words of the pool, and of our own shorter limit. */
const NONE_FREE = /^timeout exceeded when trying to connect$|^There was no connection within/;

/** Whether a server that is a replica refused a change. */
export const isOfReplica = (failure: unknown): boolean =>
  failure instanceof AppError && failure.cause instanceof pg.DatabaseError && isOfStandby(failure.cause);

const isOfStandby = ({ code, message }: pg.DatabaseError): boolean =>
  code === READ_ONLY || (code === UNLOGGED.code && message.includes(UNLOGGED.words));

/** Level of a failure's line in the log, which has a line about a database that is away already. */
export const chooseLevel = (failure: unknown): "debug" | "warn" => (isAway(failure) ? "debug" : "warn");
