import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { InvoiceDraft } from "#features/invoices/plan/rules-draft.ts";
import { TAKEN } from "#features/invoices/post/rules-refusals.ts";
import type { Sending, Settlement } from "#features/invoices/post/store-ledger.ts";
import type { UploadId } from "#features/invoices/store.ts";
import type { InvoicesTables } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Which of these invoices in the books already belong to a ledger row of the company. */
export async function findClaimedIds(
  db: Db,
  realmId: string,
  qboIds: readonly string[],
): Promise<Set<string>> {
  return new Set((await findClaims(db, realmId, qboIds)).map(({ qbo_id }) => qbo_id ?? ""));
}

/** An invoice whose end is not known either, and that may be the one that was found. */
export type Rival = { docNumber: string | null; draft: InvoiceDraft; amountCents: number };

/** Other invoices of the company, of any upload, for the same customer, day and money, whose end nobody knows. */
export async function findRivals(db: Db, upload: UploadId, invoice: Sending): Promise<Rival[]> {
  const { draft, amountCents } = invoice;
  return (await findOpenOfCustomer(db, upload, invoice)).filter(
    (other) => other.amountCents === amountCents && other.draft.TxnDate === draft.TxnDate,
  );
}

/** Other invoices of the company, of any upload, for the same customer, whose end nobody knows. */
export async function findOpenOfCustomer(
  db: Db,
  upload: UploadId,
  { key, draft }: Sending,
): Promise<Rival[]> {
  const { rows } = await sql<Rival>`select doc_number as "docNumber", draft, amount_cents as "amountCents"
    from upload_invoice
    where realm_id = ${upload.realmId} and state in ('sending', 'unknown')
      and draft -> 'CustomerRef' ->> 'value' = ${draft.CustomerRef.value}
      and not (upload_id = ${upload.id}::uuid and invoice_key = ${key})`.execute(db);
  return rows;
}

/** Makes unknown what would be posted as an invoice in the books that another ledger row has already. */
export async function leaveClaimed(
  tx: Db,
  upload: UploadId,
  settlements: readonly Settlement[],
): Promise<Settlement[]> {
  const claims = await findClaims(
    tx,
    upload.realmId,
    settlements.flatMap(({ qboId }) => qboId ?? []),
  );
  const owners = new Map(claims.map((row) => [row.qbo_id, `${row.upload_id} ${row.invoice_key}`]));
  return settlements.map((one) => {
    const { key, qboId, tid } = one;
    if (qboId === undefined) return one;
    const own = `${upload.id} ${key}`;
    const owner = owners.get(qboId) ?? own;
    owners.set(qboId, owner);
    return owner === own ? one : { key, state: "unknown", message: TAKEN, tid: tid ?? null };
  });
}

const findClaims = (db: Db, realmId: string, qboIds: readonly string[]) =>
  tables(db)
    .selectFrom("upload_invoice")
    .select(["qbo_id", "upload_id", "invoice_key"])
    .where("realm_id", "=", realmId)
    .where("qbo_id", "in", [...qboIds, ""])
    .execute();
