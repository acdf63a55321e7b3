import { type RawBuilder, sql } from "kysely";
import { VENDOR } from "#features/books/index.ts";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { UNDO_KINDS } from "#features/invoices/runs.ts";
import type { Upload } from "#features/invoices/ledger/store.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";

/** An invoice of an earlier upload that is or may be in the books, or is about to be. */
export type EarlierEntry = {
  uploadId: string;
  rows: readonly number[];
  state: EntryState;
  fileName: string;
  uploadedAt: Date;
  /** E-mail of the user who uploaded it. */
  uploadedBy: string;
  customerName: string;
  amountCents: number | null;
  docNumber: string | null;
  /** The open undo of its upload, if any. */
  undoId: string | null;
  /** Null until it is known to be in the books. */
  qboId: string | null;
  syncToken: string | null;
  /** It is known from the books alone: no upload has it. */
  isOnlyInBooks?: true;
};

/**
 * An earlier invoice that equals one to be posted: it sent the same, or its file says the same, whatever the books made of
 * it; or so did a copy of it that was left out. It is listed once for each pair of fingerprints. `ownNumber`: the number that
 * its file gives it.
 */
export type EqualEntry = EarlierEntry & {
  fingerprint: string;
  fileFingerprint: string | null;
  poNumber: string | null;
  ownNumber: string | null;
};

/** An invoice that another upload is about to post under the number that its file gives it. */
export type OpenEntry = EarlierEntry & { ownNumber: string };

/**
 * Earlier invoices that block those of an upload: of the same file, equal ones of other files, and those that we posted, or
 * are about to post, under a number of this file.
 */
export type Earlier = {
  sameFile: readonly EarlierEntry[];
  equal: readonly EqualEntry[];
  numbered: readonly EarlierEntry[];
  open: readonly OpenEntry[];
};

/**
 * Search for invoices of other files: equal ones by their fingerprints, uploaded since a day, and those with a number of this file
 * by their QuickBooks ids. With a number, an invoice equals only one of the same number that is about to be posted: those
 * that are in the books are found there.
 */
export type EqualSearch = {
  equal: readonly { fingerprint: string; fileFingerprint: string | null; number: string | null }[];
  since: Date;
  ids: readonly string[];
};

const MAYBE_IN_BOOKS = sql.join(["ready", "sending", "posted", "unresolved", "undoing"]);

/** Finds earlier invoices, oldest first. */
export async function findEarlier(db: Db, upload: Upload, search: EqualSearch): Promise<Earlier> {
  return {
    sameFile: await findSameFileEntries(db, upload),
    equal: search.equal.length === 0 ? [] : await findEqualEntries(db, upload, search),
    numbered: await findPostedByIds(db, upload, search.ids),
    open: await findOpenNumbers(
      db,
      upload,
      search.equal.flatMap(({ number }) => number ?? []),
    ),
  };
}

/** Also an invoice that a user said is in QuickBooks. */
const COUNTS = sql`(e.state in (${MAYBE_IN_BOOKS}) or (e.state = 'skipped' and e.cause ->> 'code' = 'in_books'))`;

const COLUMNS = sql`u.id as "uploadId", e.row_numbers as rows, e.state, u.file_name as "fileName", u.uploaded_at as "uploadedAt",
  u.uploaded_by as "uploadedBy", e.customer_name as "customerName", e.amount_cents as "amountCents", e.qbo_doc_number as "docNumber", n.id as "undoId", e.qbo_id as "qboId", e.qbo_sync_token as "syncToken"`;

const OPEN_UNDO = sql`left join run n on n.realm_id = u.realm_id and n.subject = u.id
    and n.kind = any (${[...UNDO_KINDS]}::text[]) and n.state in ('queued', 'working', 'waiting')`;

const JOINED = sql`ledger_entry e join upload u on u.realm_id = e.realm_id and u.id = e.upload_id ${OPEN_UNDO}`;

async function findSameFileEntries(db: Db, { realmId, id, sha256 }: Upload): Promise<EarlierEntry[]> {
  const { rows } = await sql<EarlierEntry>`select ${COLUMNS} from ${JOINED}
    where u.realm_id = ${realmId} and u.sha256 = ${sha256} and u.id <> ${id}::uuid and u.stage = 'posting'
      and ${COUNTS}
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}

async function findEqualEntries(
  db: Db,
  { realmId, id, sha256, check }: Upload,
  { equal, since }: EqualSearch,
): Promise<EqualEntry[]> {
  // Each fingerprint is found by an index of its own. A copy that was left out has fingerprints of its own, too: it leads
  // to the invoice that it was left out for. Limit: see the note at the view.
  const knownBy = (stored: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql`
    select i.fingerprint, i.file_fingerprint, i.po_number,
      case i.verdict when 'ready' then i.upload_id else (i.cause -> 'params' ->> 'upload')::uuid end as upload_id,
      case i.verdict when 'ready' then i.row_numbers[1] else (i.cause -> 'params' ->> 'row')::int end as first_row
    from upload_invoice i where i.realm_id = ${realmId} and ${stored} in (select ${key} from search)
      and (i.verdict = 'ready' or (i.verdict = 'skipped' and i.cause ->> 'code' = 'equal'))`;
  const { rows } = await sql<EqualEntry>`with search as (
      select distinct * from jsonb_to_recordset(${toJson(equal)}::jsonb)
        as s (fingerprint text, "fileFingerprint" text, number text)
    ), known as (
      ${knownBy(sql`i.fingerprint`, sql`fingerprint`)} union ${knownBy(sql`i.file_fingerprint`, sql`"fileFingerprint"`)}
    )
    select k.fingerprint, k.file_fingerprint as "fileFingerprint", coalesce(k.po_number, e.po_number) as "poNumber",
      e.doc_number as "ownNumber", ${COLUMNS}
    from known k
    cross join lateral (select * from ledger_entry l where l.realm_id = ${realmId} and l.upload_id = k.upload_id
      and l.row_numbers[1] = k.first_row limit 1) e
    join upload u on u.realm_id = e.realm_id and u.id = e.upload_id ${OPEN_UNDO}
    where (k.fingerprint in (select fingerprint from search where number is null)
        or k.file_fingerprint in (select "fileFingerprint" from search where number is null)
        or (e.state in ('ready', 'sending')
          and ((k.fingerprint, e.doc_number) in (select fingerprint, number from search where number is not null)
            or (k.file_fingerprint, e.doc_number) in (select "fileFingerprint", number from search where number is not null))))
      and ${COUNTS} and u.stage = 'posting' and u.id <> ${id}::uuid
      and u.id <> all (${[...(check?.duplicatesAllowed ?? [])]}::uuid[]) and u.sha256 <> ${sha256} and u.uploaded_at > ${since}
    order by u.uploaded_at, u.id, e.seq, k.fingerprint, k.file_fingerprint, "poNumber"`.execute(db);
  return rows;
}

/** Finds invoices that other uploads of the company are about to post under some numbers. */
async function findOpenNumbers(
  db: Db,
  { realmId, id, sha256, check }: Upload,
  numbers: readonly string[],
): Promise<OpenEntry[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<OpenEntry>`select e.doc_number as "ownNumber", ${COLUMNS} from ${JOINED}
    where e.realm_id = ${realmId} and e.doc_number = any (${[...numbers]}::text[]) and e.state in ('ready', 'sending')
      and u.stage = 'posting' and u.id <> ${id}::uuid and u.sha256 <> ${sha256}
      and u.id <> all (${[...(check?.duplicatesAllowed ?? [])]}::uuid[])
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}

/** Finds invoices that other uploads of the company posted, by their QuickBooks ids. */
export async function findPostedByIds(
  db: Db,
  { realmId, id }: Pick<Upload, "realmId" | "id">,
  ids: readonly string[],
): Promise<EarlierEntry[]> {
  if (ids.length === 0) return [];
  // Each write leads to its only invoice: see the note at the view.
  const { rows } = await sql<EarlierEntry>`select ${COLUMNS} from write w
    cross join lateral (select * from ledger_entry l where l.realm_id = w.realm_id and l.upload_id = w.subject
      and l.invoice_key = w.part and l.qbo_id = w.vendor_id limit 1) e
    join upload u on u.realm_id = e.realm_id and u.id = e.upload_id ${OPEN_UNDO}
    where w.realm_id = ${realmId} and w.vendor = ${VENDOR} and w.vendor_id = any (${[...ids]}::text[])
      and e.state in ('posted', 'undoing') and u.id <> ${id}::uuid and u.stage = 'posting'
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}

/** Finds which of the given invoice numbers the company posted through us. */
export async function findPostedNumbers(
  db: Db,
  realmId: string,
  numbers: readonly string[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<{ number: string }>`select number from unnest(${[...numbers]}::text[]) number
    where exists (select from upload_invoice i join write w on w.realm_id = i.realm_id and w.subject = i.upload_id
        and w.part = i.invoice_key and w.command_id = i.upload_id
      where i.doc_number = number and i.realm_id = ${realmId} and w.state = 'done')`.execute(db);
  return rows.map(({ number }) => number);
}
