import type { Generated, JSONColumnType } from "kysely";
import type { MatchKind } from "#features/order-invoices/contract.ts";
import type { Answers, Draft, Theirs, Wait } from "#features/order-invoices/rules-draft.ts";

export type OrderInvoiceTables = {
  order_match: {
    realm_id: string;
    partner: string;
    kind: MatchKind;
    written: string;
    target_id: string;
    target_name: string;
    chosen_by: string;
    chosen_at: Date;
  };
  order_invoice_settings: {
    realm_id: string;
    partner: string;
    posts_when_shipped: boolean;
    changed_by: string;
    changed_at: Date;
  };
  order_invoice: {
    realm_id: string;
    id: string;
    order_id: string;
    shipment_id: string | null;
    partner: string;
    po_number: string;
    state: "draft" | "posting" | "posted" | "linked";
    draft: JSONColumnType<Draft>;
    waits: Wait[];
    total_cents: number;
    answers: JSONColumnType<Answers, string | undefined, string>;
    theirs: JSONColumnType<Theirs | null, string | null, string | null>;
    number: string | null;
    attempts: Generated<number>;
    problem: Generated<string>;
    upload_id: string | null;
    first_row: number | null;
    qbo_id: string | null;
    qbo_number: string | null;
    qbo_total_cents: number | null;
    posted_at: Date | null;
    posted_by: string | null;
    undo_asked_at: Date | null;
  };
};
