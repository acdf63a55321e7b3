import type { Generated, JSONColumnType } from "kysely";
import type { Difference } from "#features/invoices/receipt/contract.ts";
import type { InvoiceDraft } from "#features/invoices/plan/rules-draft.ts";
import type { Problem } from "#features/invoices/workbook/rules-problems.ts";
import type { UploadCounts } from "#features/invoices/results/rules-results.ts";
import type { CheckReport } from "#features/invoices/check/contract.ts";
import type { UploadMode, UploadResult } from "#features/invoices/contract.ts";
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

export type InvoicesTables = {
  upload: {
    realm_id: string;
    id: string;
    file_name: string;
    sha256: string;
    object_key: string;
    size_bytes: number;
    data_rows: number;
    uploaded_by: string;
    uploaded_at: Date;
    state: UploadState;
    reason: Generated<string>;
    fence: Generated<number>;
    dead_starts: Generated<number>;
    planned: Generated<boolean>;
    notes: JSONColumnType<Problem[], string | undefined, string>;
    summary: JSONColumnType<Summary>;
    finished_at: Date | null;
    phase: Generated<UploadPhase>;
    confirmed: Generated<boolean>;
    equal_shown: Generated<string[]>;
    equal_waived: Generated<string[]>;
    revision: Generated<number>;
    behind_undo: string | null;
    mode: Generated<UploadMode>;
    report: JSONColumnType<CheckReport | null, string | undefined, string>;
    changes: JSONColumnType<string[], string | undefined, string>;
  };
  upload_invoice: {
    realm_id: string;
    upload_id: string;
    invoice_key: string;
    generation: Generated<number>;
    seq: number;
    row_numbers: number[];
    doc_number: string | null;
    customer_name: string;
    amount_cents: number | null;
    currency: string | null;
    draft: JSONColumnType<InvoiceDraft | null, string | null, string | null>;
    mark: string | null;
    problems: JSONColumnType<Problem[]>;
    state: EntryState;
    request_id: string;
    batch_id: string | null;
    batch_item: string | null;
    attempts: Generated<number>;
    sent_at: Date | null;
    sent_alone_at: Date | null;
    last_sent_at: Date | null;
    vain_rounds: Generated<number>;
    settled_at: Date | null;
    qbo_id: string | null;
    qbo_doc_number: string | null;
    qbo_total_cents: number | null;
    intuit_tid: string | null;
    message: Generated<string>;
    qbo_tax_cents: number | null;
    qbo_sync_token: string | null;
    differences: JSONColumnType<Difference[], string | undefined, string>;
    undo_id: string | null;
    undo_action: UndoAction | null;
    undo_reason: UndoReason | null;
    undo_message: Generated<string>;
    undo_batch_id: string | null;
    undo_batch_item: string | null;
    undo_sent_at: Date | null;
    undone_at: Date | null;
  };
  upload_list: { realm_id: string; version: number; total: number };
};
