import type { Generated, JSONColumnType } from "kysely";
import type { Difference } from "#features/books/contract.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { CheckReport } from "#features/invoices/check/contract.ts";
import type { UploadCounts, UploadMode, UploadResult } from "#features/invoices/contract.ts";
import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";

/** `checked`: a check has ended and waits for a person. */
export type UploadState = "queued" | "working" | "paused" | "finished" | "stopped" | "checked";
/** `check`: nothing may be posted yet. */
export type UploadPhase = "check" | "post";
export type EntryState =
  | "ready"
  | "sending"
  | "posted"
  | "rejected"
  | "skipped"
  | "unknown"
  | "stopped"
  | "undoing"
  | "undone";

/** What the list shows of an upload. */
export type Summary = { results: UploadResult[]; result_count: number; counts: UploadCounts };

/** What the plan says of an invoice. `stopped`: it is good, and another one of the file holds it back. */
export type Verdict = Extract<EntryState, "ready" | "rejected" | "skipped" | "stopped">;

export type InvoicesTables = {
  upload: {
    realm_id: string;
    id: string;
    file_name: string;
    sha256: string;
    object_key: string;
    file_removed_at: Date | null;
    size_bytes: number;
    data_rows: number;
    uploaded_by: string;
    uploaded_at: Date;
    planned: Generated<boolean>;
    notes: JSONColumnType<Problem[], string | undefined, string>;
    summary: JSONColumnType<Summary>;
    phase: Generated<UploadPhase>;
    confirmed: Generated<boolean>;
    equal_shown: Generated<string[]>;
    equal_waived: Generated<string[]>;
    revision: Generated<number>;
    mode: Generated<UploadMode>;
    report: JSONColumnType<CheckReport | null, string | undefined, string>;
    changes: JSONColumnType<string[], string | undefined, string>;
  };
  /** The invoice as the sheet has it. Written once, by the plan. */
  upload_invoice: PlannedColumns & { verdict: Verdict };
  /** A view: the invoice, and what its writes made of it. */
  ledger_entry: PlannedColumns & {
    state: EntryState;
    cause: JSONColumnType<Cause | null>;
    qbo_id: string | null;
    qbo_doc_number: string | null;
    qbo_total_cents: number | null;
    qbo_tax_cents: number | null;
    qbo_sync_token: string | null;
    differences: JSONColumnType<Difference[]>;
    undo_id: string | null;
    undo_action: UndoAction | null;
    undo_cause: JSONColumnType<Cause | null>;
    undo_reason: UndoReason | null;
    undone_at: Date | null;
  };
  upload_list: { realm_id: string; version: number; total: number };
};

type PlannedColumns = {
  realm_id: string;
  upload_id: string;
  invoice_key: string;
  seq: number;
  row_numbers: number[];
  doc_number: string | null;
  customer_name: string;
  amount_cents: number | null;
  currency: string | null;
  draft: JSONColumnType<InvoiceDraft | null, string | null, string | null>;
  fingerprint: string | null;
  problems: JSONColumnType<Problem[]>;
  message: Generated<string>;
};
