import type { KeyScope } from "#contract/endpoint.ts";
import type { WebhookEvent } from "#features/programs/webhooks/contract.ts";
import type { JSONColumnType } from "kysely";

export type ProgramsTables = {
  company_key: {
    realm_id: string;
    id: string;
    name: string;
    scopes: readonly KeyScope[];
    secret_hash: Buffer;
    ending: string;
    created_at: Date;
    created_by: string;
    maker_id: string | null;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  webhook_endpoint: {
    realm_id: string;
    id: string;
    url: string;
    events: readonly WebhookEvent[];
    state: "active" | "gone" | "failing";
    failing_since: Date | null;
    secret_sealed: string;
    old_secret_sealed: string | null;
    old_secret_until: Date | null;
    created_at: Date;
    created_by: string;
  };
  webhook_message: {
    realm_id: string;
    id: string;
    endpoint_id: string;
    /** A `WebhookEvent`, or `webhook.test`. */
    event: string;
    data: JSONColumnType<Readonly<Record<string, unknown>>>;
    state: "queued" | "delivered" | "failed";
    attempts: number;
    answer: string;
    created_at: Date;
    attempted_at: Date | null;
    due_at: Date | null;
  };
};
