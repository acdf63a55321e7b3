import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";

/** What every verb may need: the database, time, ids and the log. Features add what is theirs. */
export type Ctx = { db: Db; clock: Clock; ids: Ids; log: Log };
