import type { Group } from "#contract/endpoint.ts";

export type IdentityTables = {
  app_user: {
    id: string;
    intuit_sub: string;
    email: string;
    first_name: string;
    last_name: string;
    groups: Group[];
    created_at: Date;
    updated_at: Date;
    /** Null for users who may sign in. */
    blocked_at: Date | null;
    /** Realm id of the company they worked in last. */
    realm_id: string | null;
  };
  session: {
    id_hash: Buffer;
    user_id: string;
    realm_id: string | null;
    device: string;
    created_at: Date;
    last_seen_at: Date;
  };
  authorization_request: {
    state_hash: Buffer;
    purpose: "sign-in" | "connect";
    browser_hash: Buffer;
    user_id: string | null;
    next_path: string | null;
    created_at: Date;
  };
};
