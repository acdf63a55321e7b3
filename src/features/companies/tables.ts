import type { Generated } from "kysely";

export type CompaniesTables = {
  company: {
    realm_id: string;
    name: string;
    admin_email: string | null;
    services: Generated<string[]>;
    contact_email: Generated<string>;
    ups_account: Generated<string>;
    attach_pods: Generated<boolean>;
    invoice_lookback_days: Generated<number>;
    created_at: Date;
  };
  company_member: { realm_id: string; email: string; added_at: Date };
  intuit_connection: {
    realm_id: string;
    id: string;
    state: ConnectionState;
    access_token_sealed: string;
    access_expires_at: Date;
    refresh_token_sealed: string;
    connected_by: string | null;
    connected_at: Date;
    updated_at: Date;
  };
  sealing_key: { id: string; sealed_check: string };
};

/**
 * `reconnect_needed`: Intuit refused our tokens for good; a user must connect again.
 * `disconnected`: a user ended the connection here; the tokens are gone and the company is no longer listed.
 */
export type ConnectionState = "connected" | "reconnect_needed" | "disconnected";
