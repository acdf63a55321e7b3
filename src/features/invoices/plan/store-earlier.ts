import { sql } from "kysely";
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
  docNumber: string | null;
  /** The open undo of its upload, if any. */
  undoId: string | null;
  /** Null until it is known to be in the books. */
  qboId: string | null;
  syncToken: string | null;
  /** It is known from the books alone: no upload has it. */
  isOnlyInBooks?: true;
};

/** An earlier invoice that equals one to be posted. */
export type EqualEntry = EarlierEntry & { fingerprint: string };

/** Earlier invoices that block those of an upload: of the same file, and equal ones of other files. */
export type Earlier = { sameFile: readonly EarlierEntry[]; equal: readonly EqualEntry[] };

/** Search for equal invoices: by fingerprint, uploaded since a day. */
export type EqualSearch = { fingerprints: readonly string[]; since: Date };

const MAYBE_IN_BOOKS = sql.join(["ready", "sending", "posted", "unresolved", "undoing"]);

/** Finds earlier invoices, oldest first. */
export async function findEarlier(db: Db, upload: Upload, search: EqualSearch): Promise<Earlier> {
  return {
    sameFile: await findSameFileEntries(db, upload),
    equal: search.fingerprints.length === 0 ? [] : await findEqualEntries(db, upload, search),
  };
}

/** Also one of which a user said that it is in QuickBooks. */
const COUNTS = sql`(e.state in (${MAYBE_IN_BOOKS}) or (e.state = 'skipped' and e.cause ->> 'code' = 'in_books'))`;

const COLUMNS = sql`u.id as "uploadId", e.row_numbers as rows, e.state, u.file_name as "fileName", u.uploaded_at as "uploadedAt",
  e.qbo_doc_number as "docNumber", n.id as "undoId", e.qbo_id as "qboId", e.qbo_sync_token as "syncToken"`;

const JOINED = sql`ledger_entry e join upload u on u.realm_id = e.realm_id and u.id = e.upload_id
  left join run n on n.realm_id = u.realm_id and n.subject = u.id
    and n.kind = any (${[...UNDO_KINDS]}::text[]) and n.state in ('queued', 'working', 'waiting')`;

async function findSameFileEntries(db: Db, { realmId, id, sha256 }: Upload): Promise<EarlierEntry[]> {
  const { rows } = await sql<EarlierEntry>`select ${COLUMNS} from ${JOINED}
    where u.realm_id = ${realmId} and u.sha256 = ${sha256} and u.id <> ${id}::uuid and u.phase = 'post'
      and ${COUNTS}
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}

async function findEqualEntries(
  db: Db,
  { realmId, id, sha256, check }: Upload,
  { fingerprints, since }: EqualSearch,
): Promise<EqualEntry[]> {
  const { rows } = await sql<EqualEntry>`select e.fingerprint, ${COLUMNS} from ${JOINED}
    where e.realm_id = ${realmId} and e.fingerprint in (select jsonb_array_elements_text(${toJson(fingerprints)}::jsonb))
      and ${COUNTS} and u.phase = 'post' and u.id <> ${id}::uuid
      and u.id <> all (${[...(check?.duplicatesAllowed ?? [])]}::uuid[]) and u.sha256 <> ${sha256} and u.uploaded_at > ${since}
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}
