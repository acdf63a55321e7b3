import type { Generated, JSONColumnType } from "kysely";
import type { PackageState, ProofState } from "#features/tracking/contract.ts";
import type { Cause } from "#platform/writes/evidence.ts";

/** A scan in our words. */
export type Scan = {
  at: string | null;
  local_date: string;
  local_time: string;
  place: string;
  state: PackageState | null;
  text: string;
};
export type Placed = Pick<Scan, "at" | "local_date" | "local_time" | "place">;

/** Values of an invoice's shipping fields; an empty text clears a field. */
export type ShippingFields = { ship_date?: string; ship_via?: string; tracking_number?: string };

/** A shipping amount of an invoice: the freight of some purchases of labels. 0 removes it. */
export type Freight = {
  cents: number;
  /** Amount of ours that it replaces; 0 for none. */
  instead_of: number;
  currency: string;
  /** Ids of the purchases. */
  shipments: readonly string[];
};

type Nullable<T extends object> = JSONColumnType<T | null, string | null, string | null>;

export type TrackingTables = {
  tracking_company: {
    realm_id: string;
    read_until: Date | null;
    read_days: number | null;
    labels_at: Date | null;
    heard_at: Date | null;
    again_at: Date | null;
    read_after: Date | null;
    reads_left: number;
    reads_at: Date;
    shipping_fields: boolean | null;
    checked_at: Date | null;
    next_at: Date | null;
    asked_at: Date | null;
    woken_at: Date | null;
    problem: Nullable<Pick<Cause, "code" | "params">>;
    problem_at: Date | null;
    settings: Generated<string>;
    mailed: Nullable<{ day: string; causes: readonly string[] }>;
    digest_at: Date | null;
  };
  tracked_invoice: {
    realm_id: string;
    qbo_id: string;
    sync_token: string;
    number: string;
    customer: string;
    txn_date: string;
    ship_date: string | null;
    ship_via: string;
    tracking_text: string;
    keys: string[];
    other_carriers: Generated<string[]>;
    currency: Generated<string>;
    shipping_cents: Generated<number>;
    is_paid: Generated<boolean>;
    gone: Generated<boolean>;
    dirty: Generated<boolean>;
  };
  tracked_package: {
    realm_id: string;
    number: string;
    state: Generated<PackageState>;
    state_at: Date | null;
    added_at: Date;
    activities: JSONColumnType<readonly Scan[], string | undefined>;
    newest_at: Date | null;
    service: Generated<string>;
    left_at: Generated<string>;
    received_by: Generated<string>;
    scheduled_on: string | null;
    delivered: Nullable<Placed>;
    looks: Generated<number>;
    looked_at: Date | null;
    look_at: Date | null;
    pushed_until: Date | null;
    proof_state: Generated<ProofState>;
    proof_tries: Generated<number>;
    proof_asked_at: Date | null;
    proof_pdf: Buffer | null;
    proof_page: Buffer | null;
    proof_signature: Buffer | null;
  };
  tracked_invoice_package: {
    realm_id: string;
    qbo_id: string;
    number: string;
    seq: number;
    in_books: boolean;
  };
  tracking_write: {
    realm_id: string;
    id: string;
    batch_id: string;
    qbo_id: string;
    operation: "update" | "freight" | "attach";
    number: string | null;
    sync_token: string | null;
    fields: Nullable<ShippingFields>;
    freight: Nullable<Freight>;
    file_name: string | null;
    size: number | null;
    sha256: Buffer | null;
    file: Buffer | null;
    planned_at: Date;
    state: Generated<"open" | "done" | "refused" | "unresolved">;
    settled_at: Date | null;
    cause: Nullable<Cause>;
  };
};
