import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { ResultEntry } from "#features/invoices/results/rules-results.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";
import { findWaitingUndo } from "#features/invoices/ledger/store-undos.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

const PAGE = 500;

type Page = { after: number; limit: number };

/**
 * Rows of a ledger one after the other, in the order of the sheet, read a page at a time: all problems of a large file
 * at once fill more than 100 MB.
 * @param readPage the rows behind a `seq`, in order, at most so many
 */
export async function* inPages<Row extends { seq: number }>(
  readPage: (page: Page) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after = -1;
  for (;;) {
    const rows = await readPage({ after, limit: PAGE });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** One page of an upload's ledger, in the order of the sheet. */
export const ledgerPage = (db: Db, { realmId, id }: UploadId, { after, limit }: Page) =>
  tables(db)
    .selectFrom("ledger_entry")
    .select("seq")
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", id)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit);

/** The ledger of an upload as its results show it, in the order of the sheet; of problems only what results say. */
export async function findResultEntries(db: Db, realmId: string, uploadId: string): Promise<ResultEntry[]> {
  const waiting = await findWaitingUndo(db, realmId, uploadId);
  const rows = inPages((page) =>
    ledgerPage(db, { realmId, id: uploadId }, page)
      .select(["row_numbers", "state", "doc_number", "qbo_doc_number", "problems", "cause"])
      .select(["undo_id", "undo_action", "undo_cause", "undone_at"])
      .select(TXN_DATE)
      .execute(),
  );
  const entries: ResultEntry[] = [];
  for await (const row of rows)
    entries.push({
      ...toResultEntry(row, waiting),
      rows: row.row_numbers,
      problems: row.problems.map((facts) => ({
        row: facts.row,
        severity: facts.severity,
        fingerprint: fingerprintOf(facts),
        facts,
      })),
    });
  return entries;
}

/** Equal for problems that differ by their rows only. */
const fingerprintOf = (problem: Problem) => JSON.stringify({ ...problem, row: 0 });

/** What results need of a ledger row besides its rows and problems. */
export type EntryRow = Pick<
  InvoicesTables["ledger_entry"],
  "state" | "doc_number" | "qbo_doc_number" | "undo_id" | "undo_action" | "undone_at"
> & { cause: Cause | null; undo_cause: Cause | null; txn_date: string | null };

/** Read of a draft only where a sentence names it. */
export const TXN_DATE = sql<string | null>`case when state = 'unresolved' then draft ->> 'TxnDate' end`.as(
  "txn_date",
);

/**
 * A ledger row without its rows and problems.
 * @param waiting the undo of its upload that waits
 */
export function toResultEntry(
  row: EntryRow,
  waiting: Awaited<ReturnType<typeof findWaitingUndo>>,
): Omit<ResultEntry, "rows" | "problems"> {
  const undoCause = row.state === "undoing" ? null : row.undo_cause;
  return {
    state: row.state,
    docNumber: row.doc_number,
    txnDate: row.txn_date,
    cause: row.cause,
    number: row.qbo_doc_number,
    undoCause,
    undoWaits: waiting && (row.state === "undoing" || row.undo_id !== waiting.id) ? waiting.cause : null,
    undone:
      row.undone_at && row.undo_action && !undoCause ? { action: row.undo_action, at: row.undone_at } : null,
  };
}

/** The problems of a few invoices, by their `seq`. */
export async function findProblems(
  db: Db,
  { realmId, id }: UploadId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, readonly Problem[]>> {
  if (seqs.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select(["seq", "problems"])
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", id)
    .where("seq", "in", seqs)
    .execute();
  return new Map(rows.map(({ seq, problems }) => [seq, problems]));
}

/** Every problem the check of an upload found, in the order of the sheet. */
export async function* readProblems(db: Db, upload: UploadId): AsyncGenerator<Problem> {
  const rows = inPages((page) => ledgerPage(db, upload, page).select("problems").execute());
  for await (const { problems } of rows) yield* problems;
}
