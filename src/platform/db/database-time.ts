import { sql, type RawBuilder } from "kysely";
import type { Clock } from "#platform/clock.ts";

/**
 * The database's own time: the one clock that processes on several machines share. A stepped clock of a test stands in
 * for it, so that a lease ends when the test lets it.
 */
export const databaseTime = (clock: Clock): RawBuilder<Date> =>
  clock.isStepped ? sql<Date>`${clock.now()}::timestamptz` : sql<Date>`clock_timestamp()`;
