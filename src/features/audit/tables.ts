import type { JSONColumnType } from "kysely";

type Facts = Record<string, unknown>;

export type AuditTables = {
  audit_entry: {
    realm_id: string;
    at: Date;
    id: string;
    user_id: string | null;
    action: string;
    ids: JSONColumnType<Facts>;
    before: JSONColumnType<Facts | null, string | null>;
    after: JSONColumnType<Facts | null, string | null>;
    request_id: string;
  };
};
