import type { SheetNames } from "#formats/text/sheet-rows.ts";
import type { Generated, JSONColumnType } from "kysely";
import type { Difference } from "#features/books/contract.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Corrected } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { ProblemFacts } from "#features/sheets/reading.ts";
import type {
  InvoiceCounts,
  UndoAction,
  UndoReason,
  UploadCounts,
  UploadMode,
} from "#features/invoices/contract.ts";

/** `checked`: a finished check that waits for a user. */
export type UploadState = "queued" | "working" | "paused" | "finished" | "stopped" | "checked";
/**
 * `checking`: to be planned for a review. `review`: a user decides. `confirmed`: to be planned, then posted; an upload
 * without a review begins here. `posting`: its invoices are planned as writes.
 */
export type UploadStage = "checking" | "review" | "confirmed" | "posting";
/** `orders`: the product wrote the file itself, from what was shipped. */
export type UploadSource = "file" | "orders";
export type EntryState =
  | "ready"
  | "sending"
  | "posted"
  | "rejected"
  | "skipped"
  | "unresolved"
  | "stopped"
  | "undoing"
  | "undone";

/** Message of a result, as facts. */
export type Statement =
  | { code: "blank" | "checking" | "no_invoices" | "ready" | "checked" | "sending" | "undoing" }
  /** The upload, or its undo, waits or ended early. */
  | { code: "upload" | "undo"; cause: RunCause }
  /** `undoWaits`: why an undo of them waits. */
  | { code: "created"; invoices: number; undoWaits: RunCause | null }
  | { code: "undone"; invoices: number; action: UndoAction; day: string; number: string | null }
  /** An undo left the invoice, or found that others had removed it. `number` is the invoice's own. */
  | { code: "left"; cause: Because; number: string | null }
  /** The invoice was not posted, or is unresolved. */
  | { code: "outcome"; cause: Because; docNumber: string | null; txnDate: string | null }
  /**
   * `blockedBy`: faulty rows of the same invoice, as returned by `rangesOf`, if this row has no error itself.
   */
  | { code: "problems"; problems: readonly Problem[]; blockedBy: BlockedBy | null }
  /** A remark on the whole file. */
  | { code: "note"; problem: Problem };

type Because = Pick<Cause, "code" | "params">;
type BlockedBy = { docNumber: string | null; rows: readonly number[] };

/**
 * Adjacent rows with the same message, first and last. `tids`: Intuit ids of the calls that caused a problem.
 */
export type ResultFacts = {
  status: number;
  rows: readonly [number, number];
  statement: Statement;
  tids?: readonly string[];
  /** For a problem of the check: positions of its invoices in the ledger, as first and last of each range. */
  places?: readonly number[];
  /** The first and the last invoice posted from these rows. */
  posted?: readonly InBooks[];
};

/** An invoice in QuickBooks. */
export type InBooks = { id: string; number: string | null };

/** Summary of an upload in the list. */
export type Summary = {
  results: ResultFacts[];
  result_count: number;
  counts: UploadCounts;
  invoices: InvoiceCounts;
  /** Names of the sheets that were read together; absent for one. */
  sheets?: SheetNames;
};

/** Invoices of one outcome with their rows and amount. */
export type Share = { invoices: number; rows: number; cents: number };

/**
 * Possible duplicates within the file, or of an earlier posted invoice; `more`: further ones, only counted.
 */
export type PossibleDuplicate = { rows: readonly number[] } & (
  | { code: "alike"; count: number; customer: string; cents: number; currency: string | null }
  | { code: "posted_before"; number: string | null; fileName: string }
  | { code: "more"; count: number }
);

/** Report of a check. */
export type CheckFacts = Record<"total" | "ready" | "rejected" | "skipped", Share> & {
  /** Skipped invoices that were left out only because another file had an equal one. */
  equalInvoices: number;
  customers: number;
  currencies: string[];
  problems: ProblemFacts[];
  possibleDuplicates: PossibleDuplicate[];
};

/** An invoice that would be posted differently now; `more`: further invoices, only counted. */
export type Change =
  | {
      code: "rejected" | "skipped" | "ready" | "differs" | "gone";
      docNumber: string | null;
      row: number;
      /** Its current errors. */
      errors: readonly Problem[];
    }
  | { code: "more"; count: number };

/** Readable values of an invoice that can't be posted: null for cells that are blank or can't be read. */
export type ReadInvoice = { txnDate: string | null; dueDate: string | null; lines: ReadLine[] };

type ReadLine = {
  row: number;
  item: string | null;
  description: string;
  qty: number | null;
  rate: number | null;
  amount: number | null;
};

/** The plan's decision about an invoice. `stopped`: it is good, but another one of the file holds it back. */
export type Verdict = Extract<EntryState, "ready" | "rejected" | "skipped" | "stopped">;

export type InvoicesTables = {
  upload: {
    realm_id: string;
    id: string;
    file_name: string;
    sha256: string;
    object_key: string;
    file_removed_at: Date | null;
    fixes: string | null;
    size_bytes: number;
    data_rows: number;
    uploaded_by: string;
    uploaded_by_id: string | null;
    uploaded_at: Date;
    readings: Generated<number>;
    notes: JSONColumnType<Problem[], string | undefined, string>;
    summary: JSONColumnType<Summary>;
    stage: UploadStage;
    source: Generated<UploadSource>;
    mode: Generated<UploadMode>;
  };
  /** An upload that is, or was, a check. */
  upload_check: {
    realm_id: string;
    upload_id: string;
    revision: Generated<number>;
    duplicates_shown: Generated<string[]>;
    duplicates_allowed: Generated<string[]>;
    report: JSONColumnType<CheckFacts | null, string | undefined, string>;
    changes: JSONColumnType<Change[], string | undefined, string>;
    corrections: JSONColumnType<Corrected[], string | undefined, string>;
  };
  /** The invoice as in the sheet. Written once, by the plan. */
  upload_invoice: PlannedColumns & { verdict: Verdict };
  /** View of the invoice with the outcome of its writes. */
  ledger_entry: PlannedColumns & {
    state: EntryState;
    qbo_id: string | null;
    qbo_doc_number: string | null;
    qbo_total_cents: number | null;
    qbo_tax_cents: number | null;
    qbo_sync_token: string | null;
    qbo_due_date: string | null;
    differences: JSONColumnType<Difference[]>;
    posted_tid: string | null;
    undo_id: string | null;
    undo_action: UndoAction | null;
    undo_cause: JSONColumnType<Cause | null>;
    undo_reason: UndoReason | null;
    undone_at: Date | null;
  };
};

type PlannedColumns = {
  realm_id: string;
  upload_id: string;
  invoice_key: string;
  seq: number;
  row_numbers: number[];
  line_rows: number[] | null;
  doc_number: string | null;
  customer_name: string;
  amount_cents: number | null;
  tax_cents: number | null;
  currency: string | null;
  draft: JSONColumnType<InvoiceDraft | null, string | null, string | null>;
  terms_due: string | null;
  fingerprint: string | null;
  file_fingerprint: string | null;
  po_number: string | null;
  problems: JSONColumnType<Problem[]>;
  /** Why it is not posted, or is unresolved. */
  cause: JSONColumnType<Cause | null, string | null, string | null>;
  /** Set if there is no draft. */
  read: JSONColumnType<ReadInvoice | null, string | null, string | null>;
};
