import type { Service } from "#features/companies/contract.ts";

export type BillingTables = {
  billing_account: {
    realm_id: string;
    id: string;
    payer_id: string | null;
    email: string;
    customer_id: string | null;
    created_at: Date;
    ended_at: Date | null;
  };
  subscription_attempt: {
    realm_id: string;
    id: string;
    service: Service;
    account_id: string;
    price_id: string;
    is_trial: boolean;
    state: "open" | "made" | "failed";
    created_at: Date;
  };
  subscription: {
    realm_id: string;
    id: string;
    account_id: string;
    service: Service;
    price_id: string;
    status: string;
    created_at: Date;
    period_end: Date;
    ends_at: Date | null;
    trial_end: Date | null;
    ended_at: Date | null;
    unpaid_since: Date | null;
    fetched_at: Date;
    fetched_by: SyncSource;
    /**
     * Increased with each record; a response from Stripe is written only if it has not changed during
     * the call.
     */
    version: number;
  };
  service_trial: { realm_id: string; service: Service; started_at: Date; reminded_at: Date | null };
  service_price: {
    id: string;
    service: Service;
    product_name: string;
    product_description: string;
    cents: number;
    interval: string;
    is_active: boolean;
    fetched_at: Date;
  };
  stripe_event: {
    id: string;
    type: string;
    subject_kind: "subscription" | "customer" | "catalog" | null;
    subject_id: string | null;
    created_at: Date;
    received_at: Date;
    received_by: "webhook" | "poll";
    handled_at: Date | null;
  };
  stripe_cursor: { only_one?: boolean; read_until: Date };
};

/** Cause of reading a subscription again. */
export type SyncSource = "payment" | "activation" | "list" | "event" | "sweep";

export type Account = BillingTables["billing_account"];
export type Attempt = BillingTables["subscription_attempt"];
export type StoredSubscription = BillingTables["subscription"];
export type Price = BillingTables["service_price"];
