import pg from "pg";
import { AppError } from "#platform/errors.ts";

/**
 * SQLSTATE classes and codes not caused by the statement: connection, resources, shutdown, time limits,
 * standby, and a database that is closed for connections.
 */
const OUTAGE = /^(08|53|57P|58)|^(57014|25P03|25006|55000)$/;
const DISK_FULL = "53100";
const RETRY_AFTER_SECONDS = 5;

/**
 * Converts a database failure for the caller: AppError 503 for an absent, frozen or full server, else the
 * error itself, which is a mistake in one of our statements. The outcome of a commit with a lost answer is
 * unknown.
 */
export function databaseFailure(error: unknown): unknown {
  // Without a code from the server the connection itself failed, in one of the driver's or the system's many
  // ways.
  if (error instanceof pg.DatabaseError && !OUTAGE.test(error.code ?? "")) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const isFull = error instanceof pg.DatabaseError && error.code === DISK_FULL;
  return new AppError({
    status: 503,
    code: isFull ? "database_full" : "database_unavailable",
    detail: isFull
      ? "The database has no space left. Tell this server's operator, and try again later."
      : "The database isn't answering right now. Wait a moment and try again.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
