import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";

/** Dependencies of every function: the database, time, ids and the log. Features add their own. */
export type Ctx = { db: Db; clock: Clock; ids: Ids; log: Log };
