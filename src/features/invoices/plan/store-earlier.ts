import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Upload } from "#features/invoices/store.ts";
import type { EntryState, InvoicesTables } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** An invoice of an earlier upload that is or may be in the books, or is on its way there. */
export type EarlierEntry = {
  rows: readonly number[];
  state: EntryState;
  fileName: string;
  uploadedAt: Date;
  docNumber: string | null;
};

/** One that says the same as an invoice to be posted, and the undo of its upload while that is open. */
export type EqualEntry = EarlierEntry & {
  mark: string;
  undoId: string | null;
  /** Null while it is not known to be in the books. */
  qboId: string | null;
  syncToken: string | null;
};

const MAYBE_IN_BOOKS = ["ready", "sending", "posted", "unknown", "undoing"] as const;

/** Those of earlier uploads of the very same file. */
export async function findSameFileEntries(db: Db, upload: Upload): Promise<EarlierEntry[]> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .innerJoin("upload", (join) =>
      join
        .onRef("upload.realm_id", "=", "upload_invoice.realm_id")
        .onRef("upload.id", "=", "upload_invoice.upload_id"),
    )
    .select(["row_numbers", "upload_invoice.state", "file_name", "uploaded_at", "qbo_doc_number"])
    .where("upload.realm_id", "=", upload.realmId)
    .where("sha256", "=", upload.sha256)
    .where("upload.id", "<>", upload.id)
    .where("upload.phase", "=", "post")
    .where("upload_invoice.state", "in", MAYBE_IN_BOOKS)
    .execute();
  return rows.map((row) => ({
    rows: row.row_numbers,
    state: row.state,
    fileName: row.file_name,
    uploadedAt: row.uploaded_at,
    docNumber: row.qbo_doc_number,
  }));
}

/** Those of these marks from other files uploaded since a day, the oldest first. */
export async function findEqualEntries(
  db: Db,
  upload: Upload,
  { marks, since }: { marks: readonly string[]; since: Date },
): Promise<EqualEntry[]> {
  if (marks.length === 0) return [];
  const { rows } =
    await sql<EqualEntry>`select e.mark, e.row_numbers as rows, e.state, u.file_name as "fileName",
      u.uploaded_at as "uploadedAt", e.qbo_doc_number as "docNumber", n.id as "undoId",
      e.qbo_id as "qboId", e.qbo_sync_token as "syncToken"
    from upload_invoice e join upload u on u.realm_id = e.realm_id and u.id = e.upload_id
    left join upload_undo n on n.realm_id = u.realm_id and n.upload_id = u.id
      and n.state in ('queued', 'working', 'paused')
    where e.realm_id = ${upload.realmId} and e.mark in (select jsonb_array_elements_text(${toJson(marks)}::jsonb))
      and e.state in (${sql.join(MAYBE_IN_BOOKS)}) and u.phase = 'post' and u.id <> ${upload.id}::uuid
      and u.sha256 <> ${upload.sha256} and u.uploaded_at > ${since}
    order by u.uploaded_at, u.id, e.seq`.execute(db);
  return rows;
}
