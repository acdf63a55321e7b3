import type { Generated, JSONColumnType } from "kysely";
import type { Cause, LookOwed, RunState } from "#platform/runs/types.ts";

export type RunTables = {
  run: {
    realm_id: string;
    id: string;
    kind: string;
    lane: string;
    subject: string;
    state: RunState;
    cause: JSONColumnType<Cause | null, string | null, string | null>;
    due_at: Date | null;
    holder: string | null;
    look_owed: Generated<LookOwed | null>;
    fence: Generated<number>;
    starts: Generated<number>;
    failures: Generated<number>;
    requested_by: string;
    requested_at: Date;
    finished_at: Date | null;
  };
};
