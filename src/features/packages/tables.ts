import type { Generated, JSONColumnType } from "kysely";
import type { DueHours, PackageState, Placed, Scan } from "#features/packages/contract.ts";

export type PackageTables = {
  package: {
    realm_id: string;
    number: string;
    of_label: Generated<boolean>;
    of_invoice: Generated<boolean>;
    state: Generated<PackageState>;
    state_at: Date | null;
    added_at: Date;
    activities: JSONColumnType<readonly Scan[], string | undefined>;
    newest_at: Date | null;
    scanned_at: Date | null;
    service: Generated<string>;
    left_at: Generated<string>;
    received_by: Generated<string>;
    scheduled_on: string | null;
    due_hours: JSONColumnType<DueHours | null, string | null, string | null>;
    pickup_by: string | null;
    delivered: JSONColumnType<Placed | null, string | null, string | null>;
    polls: Generated<number>;
    polled_at: Date | null;
    next_poll_at: Date | null;
    poll_problem: "ups_auth" | "ups_down" | null;
    pushed_until: Date | null;
    pushed_key: string | null;
    invoice_changed: Generated<boolean>;
    label_changed: Generated<boolean>;
  };
};
