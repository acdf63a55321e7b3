import { sql } from "kysely";
import type { Hit } from "#features/admin/contract.ts";
import type { ListName } from "#features/admin/lists/contract.ts";
import { LIST_SOURCES } from "#features/admin/lists/sources.ts";
import { findRows } from "#features/admin/lists/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";

/** Hits of each kind; an operator who sees more of one types more. */
const MAX_PER_KIND = 5;

/** Lists that are searched, each with the columns that name a row. `search` finds the row in its list. */
const SEARCHED: readonly { list: ListName; title: string; note: string; search: string }[] = [
  { list: "companies", title: "company", note: "realm_id", search: "realm_id" },
  { list: "users", title: "email", note: "name", search: "email" },
  { list: "uploads", title: "file", note: "company", search: "key" },
  { list: "orders", title: "po_number", note: "company", search: "po_number" },
  { list: "labels", title: "source", note: "company", search: "source" },
  { list: "tracking", title: "number", note: "company", search: "number" },
  { list: "billing", title: "key", note: "company", search: "key" },
  { list: "webhooks", title: "key", note: "type", search: "key" },
  // Runs that are about nothing are named by their kind.
  { list: "runs", title: "about", note: "company", search: "request_id" },
  { list: "messages", title: "name", note: "email", search: "support_id" },
  { list: "audit", title: "action", note: "company", search: "request_id" },
];

/** Finds companies, users, invoices, orders and everything else that a number or a support id names. */
export async function findAnything({ db }: Ctx, text: string): Promise<Hit[]> {
  const wanted = { search: text, show: "all" as const, before: null, limit: MAX_PER_KIND };
  const found = await Promise.all([
    ...SEARCHED.map(async ({ list, ...names }) => {
      // Only companies are found by their name here: otherwise everything of one would be a hit.
      const rows = await findRows(db, LIST_SOURCES[list], { ...wanted, isByCompany: list === "companies" });
      return rows.map((row): Hit => ({
        page: list,
        title: toText(row[names.title]) || toText(row["kind"]),
        note: toText(row[names.note]),
        search: toText(row[names.search]) || text,
      }));
    }),
    findInvoices(db, text),
    findErrors(db, text),
  ]);
  return found.flat();
}

/** Finds invoices of uploaded files by their number; an operator opens the file. */
async function findInvoices(db: Db, number: string): Promise<Hit[]> {
  const { rows } = await sql<{ id: string; file: string; company: string }>`select u.id,
      u.file_name as file, c.name as company
    from upload_invoice i join upload u on u.realm_id = i.realm_id and u.id = i.upload_id
      join company c on c.realm_id = i.realm_id
    where i.doc_number = ${number} order by u.uploaded_at desc limit ${MAX_PER_KIND}`.execute(db);
  return rows.map(({ id, file, company }) => ({
    page: "uploads",
    title: `Invoice ${number} in ${file}`,
    note: company,
    search: id,
  }));
}

/** Finds errors by the support id that a user saw. */
async function findErrors(db: Db, requestId: string): Promise<Hit[]> {
  const { rows } = await sql<{ title: string; place: string }>`select title, place from error_report
    where request_id = ${requestId} order by received_at desc limit ${MAX_PER_KIND}`.execute(db);
  return rows.map(({ title, place }) => ({ page: "errors", title, note: place, search: requestId }));
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");
