import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { customerOrNumberHas, likeText } from "#features/invoices/ledger/store-entries.ts";
import type { Summary } from "#features/invoices/ledger/tables.ts";

/** What the list shows of an upload. */
export type ListedUpload = {
  id: string;
  fileName: string;
  uploadedAt: Date;
  /** The e-mail they had then, and who they are where that is known. */
  uploadedBy: string;
  uploaderId: string | null;
  summary: Summary;
};

type Page = { limit: number; before: string | null; search: string | null };

/**
 * The newest uploads of a company, without anything that grows with their length; of a search those that match.
 * @param page.before only those older than this one
 */
export async function findUploads(
  db: Db,
  realmId: string,
  { limit, before, search }: Page,
): Promise<ListedUpload[]> {
  const { rows } = await sql<ListedUpload>`select id, file_name as "fileName", uploaded_at as "uploadedAt",
      uploaded_by as "uploadedBy", uploaded_by_id as "uploaderId", summary
    from upload where realm_id = ${realmId} and phase = 'post' and ${olderThan(realmId, before)} and ${has(search)}
    order by uploaded_at desc, id limit ${limit}`.execute(db);
  return rows;
}

/** How many uploads of a company match a search. */
export async function countMatches(db: Db, realmId: string, search: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from upload
    where realm_id = ${realmId} and phase = 'post' and ${has(search)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The first condition is the one that the index finds its place by. */
const olderThan = (realmId: string, before: string | null) => {
  if (before === null) return sql<boolean>`true`;
  const moment = sql<Date>`(select uploaded_at from upload where realm_id = ${realmId} and id = ${before}::uuid)`;
  return sql<boolean>`uploaded_at <= ${moment} and (uploaded_at < ${moment} or id > ${before}::uuid)`;
};

/** Its file's name has the text, or a customer or a number of its invoices, also one that QuickBooks gave. */
const has = (search: string | null) => {
  if (search === null) return sql<boolean>`true`;
  return sql<boolean>`(file_name ilike ${likeText(search)} or exists (select from ledger_entry
    where ledger_entry.realm_id = upload.realm_id and upload_id = upload.id and ${customerOrNumberHas(search)}))`;
};
