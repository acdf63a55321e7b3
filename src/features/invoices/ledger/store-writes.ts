import { createHash } from "node:crypto";
import { sql } from "kysely";
import { VENDOR, type InvoiceToMake, type InvoiceToUndo, type Rival } from "#features/books/index.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { findInDoubt, planWrites, type Command } from "#platform/writes/store.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** The writes that an upload asked for. */
export const createsOf = ({ realmId, id }: UploadId): Command => ({ realmId, subject: id, commandId: id });

/** The writes that an undo of an upload asked for. */
export const undosOf = ({ realmId, id }: UploadId, undoId: string): Command => ({
  realmId,
  subject: id,
  commandId: undoId,
});

const ROWS_A_STATEMENT = 1_000;

/**
 * Plans a create for each invoice of an upload that the plan calls ready; those that are planned already stay as they
 * are. In a company that takes given numbers, an invoice with a number of the sheet is never made twice by QuickBooks.
 */
export async function planCreates(
  tx: Db,
  upload: UploadId,
  { takesNumbers, now }: { takesNumbers: boolean; now: Date },
): Promise<void> {
  const command = createsOf(upload);
  for (let after = -1; ;) {
    const rows = await tables(tx)
      .selectFrom("upload_invoice")
      .select(["invoice_key", "seq", "doc_number", "fingerprint"])
      .where("realm_id", "=", upload.realmId)
      .where("upload_id", "=", upload.id)
      .where("verdict", "=", "ready")
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(ROWS_A_STATEMENT)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const writes = rows.map((row) => ({
      part: row.invoice_key,
      seq: row.seq,
      operation: "create" as const,
      requestId: requestIdOf(command, row.invoice_key),
      fingerprint: row.fingerprint ?? "",
      vendorKey: takesNumbers ? row.doc_number : null,
    }));
    await planWrites(tx, command, { vendor: VENDOR, writes, now });
    after = last.seq;
  }
}

/** Plans an undo for each posted invoice of an upload. */
export async function planUndo(
  tx: Db,
  command: Command,
  { action, now }: { action: "void" | "delete"; now: Date },
): Promise<void> {
  const rows = await tables(tx)
    .selectFrom("ledger_entry")
    .select(["invoice_key", "seq", "qbo_id", "qbo_sync_token"])
    .where("realm_id", "=", command.realmId)
    .where("upload_id", "=", command.subject)
    .where("state", "=", "posted")
    .orderBy("seq")
    .execute();
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const writes = rows.slice(start, start + ROWS_A_STATEMENT).map((row) => ({
      part: row.invoice_key,
      seq: row.seq,
      operation: action,
      requestId: requestIdOf(command, row.invoice_key),
      fingerprint: `${row.qbo_id ?? ""} ${row.qbo_sync_token ?? ""}`,
      vendorKey: row.qbo_id,
    }));
    await planWrites(tx, command, { vendor: VENDOR, writes, now });
  }
}

/**
 * Derived from company, command and invoice, at most 50 characters: the same write has the same request id for ever,
 * also in a ledger that was restored. A second undo has another one, since QuickBooks may repeat a refusal.
 */
function requestIdOf({ realmId, commandId }: Command, part: string): string {
  return createHash("sha256").update(`${realmId}\n${commandId}\n${part}`).digest("base64url").slice(0, 40);
}

/** What creates send, by invoice key. */
export async function loadDrafts(
  db: Db,
  { realmId, id }: UploadId,
  parts: readonly string[],
): Promise<Map<string, InvoiceToMake>> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select(["invoice_key", "draft", "amount_cents"])
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", id)
    .where("invoice_key", "in", [...parts])
    .execute();
  return new Map(
    rows.flatMap(({ invoice_key, draft, amount_cents: amountCents }) =>
      draft && amountCents !== null ? [[invoice_key, { draft, amountCents }] as const] : [],
    ),
  );
}

/** What undos concern, by invoice key. */
export async function loadPosted(
  db: Db,
  { realmId, id }: UploadId,
  parts: readonly string[],
): Promise<Map<string, InvoiceToUndo>> {
  const rows = await tables(db)
    .selectFrom("ledger_entry")
    .select(["invoice_key", "qbo_id", "qbo_sync_token"])
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", id)
    .where("invoice_key", "in", [...parts])
    .execute();
  return new Map(
    rows.flatMap(({ invoice_key, qbo_id: qboId, qbo_sync_token: syncToken }) =>
      qboId && syncToken ? [[invoice_key, { qboId, syncToken }] as const] : [],
    ),
  );
}

/** More of them at a time would be an outage that no search can distinguish. */
const MAX_RIVALS = 1_000;

/** Creates of the company that may have been done and are not settled, by whether they are of this command. */
export async function findRivals(db: Db, command: Command): Promise<{ own: Rival[]; foreign: Rival[] }> {
  const { realmId } = command;
  const inDoubt = await findInDoubt(db, { realmId, vendor: VENDOR }, MAX_RIVALS);
  const creates = inDoubt.filter(({ write }) => write.operation === "create");
  const rivals: { own: Rival[]; foreign: Rival[] } = { own: [], foreign: [] };
  for (const [id, writes] of Map.groupBy(creates, ({ subject }) => subject)) {
    const parts = writes.map(({ write }) => write.part);
    const drafts = await loadDrafts(db, { realmId, id }, parts);
    for (const { write, commandId } of writes) {
      const body = drafts.get(write.part);
      const kind = commandId === command.commandId ? "own" : "foreign";
      if (body) rivals[kind].push({ ...body, fingerprint: write.fingerprint });
    }
  }
  return rivals;
}

/** Whether any posted invoice of an upload is in the books, and how many may be there. */
export async function countInBooks(
  db: Db,
  { realmId, id }: UploadId,
): Promise<{ posted: number; unresolved: number }> {
  const { rows } = await sql<{ posted: number; unresolved: number }>`select
      count(*) filter (where state = 'posted') as posted, count(*) filter (where state = 'unresolved') as unresolved
    from ledger_entry where realm_id = ${realmId} and upload_id = ${id}::uuid`.execute(db);
  return rows[0] ?? { posted: 0, unresolved: 0 };
}
