import type { Generated, JSONColumnType } from "kysely";
import type { Refusal } from "#platform/writes/decide.ts";
import type { Cause } from "#platform/writes/evidence.ts";

export type WriteState = "planned" | "sent" | "done" | "refused" | "unresolved";

/** Stored parts of an answer. `adopted`: found by a search, not confirmed by a call. */
export type StoredAnswer = { facts: Readonly<Record<string, unknown>>; tid: string | null; adopted: boolean };

export type WriteTables = {
  write: {
    realm_id: string;
    subject: string;
    part: string;
    command_id: string;
    seq: number;
    vendor: string;
    /** The vendor's name for it: create, void, delete. Each feature has its own. */
    operation: string;
    request_id: string;
    fingerprint: string;
    vendor_key: string | null;
    planned_at: Date;
    state: Generated<WriteState>;
    first_sent_at: Date | null;
    last_sent_at: Date | null;
    made_from: Date | null;
    made_until: Date | null;
    due_at: Date | null;
    rounds: Generated<number>;
    vendor_id: string | null;
    answer: JSONColumnType<StoredAnswer | null, string | null, string | null>;
    cause: JSONColumnType<Cause | Refusal | null, string | null, string | null>;
    settled_at: Date | null;
  };
};
