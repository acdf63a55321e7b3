import type { Service, UpsState } from "#features/companies/contract.ts";
import type { Generated } from "kysely";

export type CompaniesTables = {
  company: {
    realm_id: string;
    name: string;
    time_zone: Generated<string>;
    admin_id: string | null;
    contact_email: Generated<string>;
    ups_account: Generated<string>;
    ups_state: Generated<UpsState>;
    attach_pods: Generated<boolean>;
    pods_on_send: Generated<boolean>;
    pods_together: Generated<boolean>;
    freight_since: Date | null;
    invoice_lookback_days: Generated<number>;
    created_at: Date;
  };
  /** A user, or an open invitation: the e-mail it is for, its id, and the user who sent it. */
  company_member: {
    realm_id: string;
    user_id: string | null;
    email: string | null;
    invitation_id: string | null;
    invited_by: string | null;
    added_at: Date;
  };
  company_service: {
    realm_id: string;
    service: Service;
    state: "active" | "ended";
    until: Date | null;
    source: "granted" | "subscription";
    reason: string;
    changed_at: Date;
    /** Still on, although its renewal was not paid. */
    is_unpaid: boolean;
  };
  intuit_connection: {
    realm_id: string;
    id: string;
    state: ConnectionState;
    access_token_sealed: string;
    access_expires_at: Date;
    refresh_token_sealed: string;
    refreshed_at: Date;
    idle_ends_at: Date | null;
    hard_ends_at: Date | null;
    end_announced_at: Date | null;
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
