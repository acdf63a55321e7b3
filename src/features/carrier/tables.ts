import type { Generated } from "kysely";

export type CarrierTables = {
  carrier_link: {
    realm_id: string;
    id: string;
    account: string;
    access_token_sealed: string;
    access_expires_at: Date;
    refresh_token_sealed: string;
    refresh_expires_at: Date;
    linked_by: string | null;
    linked_at: Date;
    refreshed_at: Date;
    used_at: Date;
    /** Since when UPS refuses to refresh it; null while it does not. */
    refused_at: Date | null;
    /** How often since then. */
    refusals: number;
    /** Whether UPS sends the events of all packages of the account, or refused to; null if it was not asked. */
    alerts: "sent" | "refused" | null;
  };
  carrier_app_fault: { is_only: Generated<boolean>; code: string; message: string; at: Date };
  carrier_request: {
    state_hash: Buffer;
    session_hash: Buffer;
    user_id: string;
    realm_id: string;
    account: string;
    created_at: Date;
  };
};
