import type { Generated, JSONColumnType } from "kysely";
import type { PackageState } from "#features/packages/contract.ts";
import type { ProofState } from "#features/tracking/contract.ts";
import type { Cause } from "#platform/writes/evidence.ts";

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

/** A message of a vendor that is not read yet. */
export type VendorMessage = {
  vendor: "intuit" | "ups";
  digest: Buffer;
  body: Buffer;
  received_at: Date;
  failures: number;
};

export type TrackingTables = {
  tracking_company: {
    realm_id: string;
    read_until: Date | null;
    read_days: number | null;
    labels_at: Date | null;
    changed_at: Date | null;
    changed_new: string[] | null;
    repeat_at: Date | null;
    read_after: Date | null;
    reads_left: number;
    reads_at: Date;
    shipping_fields: boolean | null;
    next_at: Date | null;
    asked_at: Date | null;
    wake_requested_at: Date | null;
    problem: Nullable<Pick<Cause, "code" | "params">>;
    problem_at: Date | null;
    settings: Generated<string>;
    mailed: Nullable<Partial<Record<PackageState, { day: string; until: string }>>>;
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
  tracked_proof: {
    realm_id: string;
    number: string;
    state: Generated<Exclude<ProofState, "none">>;
    requests: Generated<number>;
    requested_at: Date | null;
    due_at: Date | null;
    pdf: Buffer | null;
    page: Buffer | null;
    signature: Buffer | null;
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
