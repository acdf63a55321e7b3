import { type RawBuilder, sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { likePattern } from "#platform/db/like-pattern.ts";
import type { Problem } from "#formats/table/problem.ts";
import { findTimeZone } from "#features/companies/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { type Upload, type UploadId, whereUpload } from "#features/invoices/ledger/store.ts";
import { findWaitingUndo } from "#features/invoices/ledger/store-undos.ts";
import type { InBooks, InvoicesTables, Summary } from "#features/invoices/ledger/tables.ts";
import type { ResultEntry } from "#features/invoices/results/rules-lines.ts";
import type { UndoAction, UploadFix, WaitingInvoices } from "#features/invoices/contract.ts";
import { customerOrNumberHas } from "#features/invoices/ledger/store-entries.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** A ledger row and its last undo, as results need them. */
type EntryRow = Omit<ResultEntry, "rows" | "problems" | "undone" | "undoWaits"> & {
  undoId: string | null;
  undoAction: UndoAction | null;
  undoneAt: Date | null;
};

/**
 * Reads the ledger of an upload for its results. The database merges adjacent entries that have the same
 * message and no problems, and omits the facts of problems, because for a large upload this runs every
 * second.
 */
export async function findResultEntries(db: Db, upload: Upload): Promise<ResultEntry[]> {
  const waiting = await findWaitingUndo(db, upload);
  const noteRows = upload.notes.map(({ row }) => row);
  const [plain, others] = [await findPlain(db, upload, noteRows), await findOthers(db, upload, noteRows)];
  // Read only if a result shows it: for a large upload this runs every second.
  const isUndone = [...plain, ...others].some(({ undoneAt }) => undoneAt !== null);
  const toDay = dayIn(isUndone ? await findTimeZone(db, upload.realmId) : "UTC");
  const toEntry = ({ undoId, undoAction, undoneAt, ...row }: EntryRow) => ({
    ...row,
    undoWaits: waiting && (row.state === "undoing" || undoId !== waiting.id) ? waiting.cause : null,
    undone: undoneAt && undoAction && !row.undoCause ? { action: undoAction, day: toDay(undoneAt) } : null,
  });
  return [
    ...plain.map(({ first, last, ...row }) => ({
      ...toEntry(row),
      rows: Array.from({ length: last - first + 1 }, (_, index) => first + index),
      problems: [],
    })),
    ...others.map(({ rows, problems, ...row }) => ({ ...toEntry(row), rows, problems })),
  ];
}

/**
 * Adjacent entries are those with the same difference between their last row and the number of rows up to it.
 * Undone ones are grouped by quarter of an hour, because no midnight of any time zone lies within one.
 */
async function findPlain(db: Db, upload: UploadId, noteRows: readonly number[]) {
  const { rows } = await sql<EntryRow & { first: number; last: number }>`select
      state, cause, undo_id as "undoId", undo_action as "undoAction", min(undone_at) as "undoneAt",
      count(*) as invoices, min(seq) as seq, max(seq) as "lastSeq", coalesce(sum(amount_cents), 0)::bigint as cents,
      coalesce(array_agg(distinct currency) filter (where currency is not null), '{}') as currencies,
      min(qbo_doc_number) as number, min(row_numbers[1]) as first, max(last) as last
    from (select *, last - sum(size) over (partition by state, cause, undo_id, undo_action, quarter order by last) as island
      from (select *, cardinality(row_numbers) as size, row_numbers[cardinality(row_numbers)] as last,
          floor(extract(epoch from undone_at) / 900) as quarter
        from ledger_entry where ${whereUpload(upload)} and ${isPlain(noteRows)}) entry) placed
    group by state, cause, undo_id, undo_action, quarter, island`.execute(db);
  return rows;
}

async function findOthers(db: Db, upload: UploadId, noteRows: readonly number[]) {
  const { rows } = await sql<EntryRow & Pick<ResultEntry, "rows" | "problems">>`select
      seq, amount_cents as cents, array_remove(array[currency], null) as currencies, row_numbers as rows, state, cause, doc_number as "docNumber", qbo_doc_number as number,
      undo_id as "undoId", undo_action as "undoAction", undo_cause as "undoCause", undone_at as "undoneAt", ${TXN_DATE},
      (select coalesce(jsonb_agg(jsonb_build_object('row', problem -> 'row', 'severity', problem -> 'severity',
          'fingerprint', md5((problem - 'row')::text)) order by place), '[]')
        from jsonb_array_elements(problems) with ordinality as each(problem, place)) as problems
    from ledger_entry where ${whereUpload(upload)} and not ${isPlain(noteRows)}`.execute(db);
  return rows;
}

/**
 * Whether its rows are consecutive and share one message: no cause names its invoice, and no row has a
 * remark.
 */
const isPlain = (noteRows: readonly number[]): RawBuilder<boolean> =>
  sql`(problems = '[]' and (cause is null or state in ('skipped', 'stopped')) and undo_cause is null
    and not row_numbers && ${[...noteRows]}::int[]
    and row_numbers[cardinality(row_numbers)] - row_numbers[1] + 1 = cardinality(row_numbers))`;

/** Read from the draft only if a sentence uses it. */
export const TXN_DATE = sql<string | null>`case when state = 'unresolved' then draft ->> 'TxnDate' end`.as(
  "txnDate",
);

/** Finds the problems of a few invoices, by `seq`. */
export async function findProblems(
  db: Db,
  upload: UploadId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, readonly Problem[]>> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select(["seq", "problems"])
    .where(whereUpload(upload))
    .where(sql<boolean>`seq = any (${[...seqs]}::int[])`)
    .execute();
  return new Map(rows.map(({ seq, problems }) => [seq, problems]));
}

/** Finds invoices in QuickBooks, by ledger place. */
export async function findPosted(
  db: Db,
  upload: UploadId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, InBooks>> {
  if (seqs.length === 0) return new Map();
  const { rows } = await sql<InBooks & { seq: number }>`select seq, qbo_id as id, qbo_doc_number as number
    from ledger_entry where ${whereUpload(upload)} and seq = any (${[...seqs]}::int[]) and qbo_id is not null`.execute(
    db,
  );
  return new Map(rows.map(({ seq, ...posted }) => [seq, posted]));
}

/** A name in cells that a list of the books does not have; `list` is the prefix of the problem codes. */
type UnknownText = { list: string; text: string; rows: number[]; count: number; unlocks: number };

const UNKNOWN = "^(.+)_(?:unknown|ambiguous|inactive)$";

/** Finds each once, in sheet order. `unlocks`: number of invoices whose only errors are this name. */
export async function findUnknownNames(db: Db, upload: UploadId): Promise<UnknownText[]> {
  const { rows } = await sql<UnknownText>`select
      substring(problem ->> 'code' from ${UNKNOWN}) as list, problem ->> 'value' as text,
      array_agg(distinct (problem -> 'row')::int) as rows, count(*) as count,
      count(distinct seq) filter (where causes = 1 and problem ->> 'severity' = 'error') as unlocks
    from upload_invoice
      cross join lateral (
        select count(distinct coalesce(substring(error ->> 'code' from ${UNKNOWN}) || ' ' || (error ->> 'value'), '')) as causes
        from jsonb_array_elements(problems) error where error ->> 'severity' = 'error') open,
      jsonb_array_elements(problems) with ordinality as each(problem, place)
    where ${whereUpload(upload)} and problem ->> 'code' ~ '_(unknown|ambiguous|inactive)$'
    group by list, text order by min(array[seq, place])`.execute(db);
  return rows;
}

/** An upload in the list. */
export type ListedUpload = {
  id: string;
  fileName: string;
  uploadedAt: Date;
  /** The user's e-mail at that time, and their id if known. */
  uploadedBy: string;
  uploaderId: string | null;
  summary: Summary;
  fixes: UploadFix[];
};

type Page = { limit: number; before: string | null; search: string | null };

/**
 * Finds the newest uploads of a company without reading their rows; with a search, those that match.
 * @param page.before limits them to uploads older than this one
 */
export async function findUploads(
  db: Db,
  realmId: string,
  { limit, before, search }: Page,
): Promise<ListedUpload[]> {
  const { rows } = await sql<ListedUpload>`select id, file_name as "fileName", uploaded_at as "uploadedAt",
      uploaded_by as "uploadedBy", uploaded_by_id as "uploaderId", summary, ${FIXES} as fixes
    from upload where realm_id = ${realmId} and stage in ('confirmed', 'posting') and ${olderThan(realmId, before)} and ${has(search)}
    order by uploaded_at desc, id limit ${limit}`.execute(db);
  return rows;
}

/** Posted uploads with the problem rows of this one, or of another such upload, oldest first. */
const FIXES = sql<UploadFix[]>`(with recursive fix as (
    select id, file_name, summary, uploaded_at from upload f
    where f.realm_id = upload.realm_id and f.fixes = upload.id and f.stage in ('confirmed', 'posting')
    union all select f.id, f.file_name, f.summary, f.uploaded_at from upload f join fix on f.fixes = fix.id
    where f.realm_id = upload.realm_id and f.stage in ('confirmed', 'posting'))
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'filename', file_name,
    'posted', summary -> 'invoices' -> 'posted', 'amount', summary -> 'invoices' -> 'amount')
    order by uploaded_at), '[]') from fix)`;

/**
 * Sums what waits for a user in a company's uploads, less what files with their problem rows posted, each with the newest
 * such upload. Only uploads that have some are read.
 * @param since problems of older uploads don't count
 */
export async function findWaiting(db: Db, realmId: string, since: Date): Promise<WaitingInvoices> {
  const sum = (count: string) => sql`jsonb_build_object('invoices', coalesce(sum(${sql.ref(count)}), 0),
    'upload_id', (array_agg(id order by uploaded_at desc, id) filter (where ${sql.ref(count)} > 0))[1])`;
  const { rows } =
    await sql<WaitingInvoices>`select ${sum("problems")} as problems, ${sum("unconfirmed")} as unconfirmed
    from (select id, uploaded_at, (summary #>> '{invoices,unconfirmed}')::int as unconfirmed,
        case when uploaded_at > ${since} then greatest(0, (summary #>> '{invoices,problems}')::int
          - (select coalesce(sum((fix ->> 'posted')::int), 0) from jsonb_array_elements(${FIXES}) fix)) else 0 end as problems
      from upload where realm_id = ${realmId} and waits and stage in ('confirmed', 'posting')) waiting`.execute(
      db,
    );
  return rows[0] ?? { problems: NOTHING_WAITS, unconfirmed: NOTHING_WAITS };
}

const NOTHING_WAITS = { invoices: 0, upload_id: null };

/** Counts the uploads of a company that match a search. */
export async function countMatches(db: Db, realmId: string, search: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from upload
    where realm_id = ${realmId} and stage in ('confirmed', 'posting') and ${has(search)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The first condition lets the index find the position. */
const olderThan = (realmId: string, before: string | null) => {
  if (before === null) return sql<boolean>`true`;
  const moment = sql<Date>`(select uploaded_at from upload where realm_id = ${realmId} and id = ${before}::uuid)`;
  return sql<boolean>`uploaded_at <= ${moment} and (uploaded_at < ${moment} or id > ${before}::uuid)`;
};

/**
 * Matches the text in the file name, or in a customer or number of its invoices, including numbers assigned
 * by QuickBooks.
 */
const has = (search: string | null) => {
  if (search === null) return sql<boolean>`true`;
  return sql<boolean>`(file_name ilike ${likePattern(search)} or exists (select from ledger_entry
    where ledger_entry.realm_id = upload.realm_id and upload_id = upload.id and ${customerOrNumberHas(search)}))`;
};
