import { createHash } from "node:crypto";
import { sql } from "kysely";
import { VENDOR, type InvoiceToMake, type InvoiceToUndo, type Rival } from "#features/books/index.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";
import { whereUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { findInDoubt, planWrites, type Command, type NewWrite } from "#platform/writes/store.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Command for the creates of an upload. */
export const createCommand = ({ realmId, id }: UploadId): Command => ({
  realmId,
  subject: id,
  commandId: id,
});

/** Command for the writes of an undo of an upload. */
export const undoCommand = ({ realmId, id }: UploadId, undoId: string): Command => ({
  realmId,
  subject: id,
  commandId: undoId,
});

const WRITES_A_STATEMENT = 1_000;

/**
 * Plans a create for each ready invoice of an upload; existing ones stay as they are. In a company that
 * numbers its invoices itself, QuickBooks never creates a numbered invoice twice.
 */
export async function planCreates(
  tx: Db,
  upload: UploadId,
  { takesNumbers, now }: { takesNumbers: boolean; now: Date },
): Promise<void> {
  const rows = await tables(tx)
    .selectFrom("upload_invoice")
    .select(["invoice_key as part", "seq", "doc_number", "fingerprint"])
    .where(whereUpload(upload))
    .where("verdict", "=", "ready")
    .execute();
  const writes = rows.map(({ doc_number: number, fingerprint, ...row }) => ({
    ...row,
    fingerprint: fingerprint ?? "",
    vendorKey: takesNumbers ? number : null,
  }));
  await planAll(tx, createCommand(upload), { operation: "create", writes, now });
}

/** Plans an undo for each posted invoice of an upload. */
export async function planUndo(
  tx: Db,
  command: Command,
  { action, now }: { action: UndoAction; now: Date },
): Promise<void> {
  const rows = await tables(tx)
    .selectFrom("ledger_entry")
    .select(["invoice_key as part", "seq", "qbo_id as vendorKey", "qbo_sync_token"])
    .where(whereUpload({ realmId: command.realmId, id: command.subject }))
    .where("state", "=", "posted")
    .execute();
  const writes = rows.map(({ qbo_sync_token: version, ...row }) => ({
    ...row,
    fingerprint: `${row.vendorKey ?? ""} ${version ?? ""}`,
  }));
  await planAll(tx, command, { operation: action, writes, now });
}

type Planned = {
  operation: NewWrite["operation"];
  writes: readonly Omit<NewWrite, "operation" | "requestId">[];
  now: Date;
};

async function planAll(tx: Db, command: Command, { operation, writes, now }: Planned): Promise<void> {
  for (let start = 0; start < writes.length; start += WRITES_A_STATEMENT) {
    const batch = writes.slice(start, start + WRITES_A_STATEMENT);
    const named = batch.map((planned) => ({
      ...planned,
      operation,
      requestId: deriveRequestId(command, planned.part),
    }));
    await planWrites(tx, command, { vendor: VENDOR, writes: named, now });
  }
}

/**
 * Derives a request id of at most 50 characters from company, command and invoice: a write always has the
 * same id, even in a restored ledger. A second undo has a different one, because QuickBooks may repeat a
 * refusal.
 */
function deriveRequestId({ realmId, commandId }: Command, part: string): string {
  return createHash("sha256").update(`${realmId}\n${commandId}\n${part}`).digest("base64url").slice(0, 40);
}

type Part = { part: string };

const listParts = (writes: readonly Part[]): string[] => writes.map(({ part }) => part);

/** Loads the invoices to create, by invoice key. */
export async function loadDrafts(
  db: Db,
  upload: UploadId,
  writes: readonly Part[],
): Promise<Map<string, InvoiceToMake>> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select(["invoice_key", "draft", "amount_cents"])
    .where(whereUpload(upload))
    .where("invoice_key", "in", listParts(writes))
    .execute();
  return new Map(
    rows.flatMap(({ invoice_key, draft, amount_cents: amountCents }) =>
      draft && amountCents !== null ? [[invoice_key, { draft, amountCents }] as const] : [],
    ),
  );
}

/** Loads the posted invoices to undo, by invoice key. */
export async function loadPosted(
  db: Db,
  upload: UploadId,
  writes: readonly Part[],
): Promise<Map<string, InvoiceToUndo>> {
  const rows = await tables(db)
    .selectFrom("ledger_entry")
    .select(["invoice_key", "qbo_id", "qbo_sync_token"])
    .where(whereUpload(upload))
    .where("invoice_key", "in", listParts(writes))
    .execute();
  return new Map(
    rows.flatMap(({ invoice_key, qbo_id: qboId, qbo_sync_token: syncToken }) =>
      qboId && syncToken ? [[invoice_key, { qboId, syncToken }] as const] : [],
    ),
  );
}

/** More open writes than this mean an outage, and no search could tell them apart. */
const MAX_RIVALS = 1_000;

/**
 * Finds the company's unsettled creates that may have been sent, split by whether they belong to this
 * command.
 */
export async function findRivals(db: Db, command: Command): Promise<{ own: Rival[]; foreign: Rival[] }> {
  const { realmId } = command;
  const inDoubt = await findInDoubt(db, { realmId, vendor: VENDOR }, { limit: MAX_RIVALS });
  const creates = inDoubt.filter(({ write }) => write.operation === "create");
  const rivals: { own: Rival[]; foreign: Rival[] } = { own: [], foreign: [] };
  for (const [id, writes] of Map.groupBy(creates, ({ subject }) => subject)) {
    const made = writes.map(({ write }) => write);
    const drafts = await loadDrafts(db, { realmId, id }, made);
    for (const { write, commandId } of writes) {
      const body = drafts.get(write.part);
      const kind = commandId === command.commandId ? "own" : "foreign";
      if (body) rivals[kind].push({ ...body, fingerprint: write.fingerprint });
    }
  }
  return rivals;
}

/** Counts posted invoices of an upload that are in the books, and those that may be. */
export async function countInBooks(db: Db, upload: UploadId) {
  const { rows } = await sql<{ posted: number; unresolved: number }>`select
      count(*) filter (where state = 'posted') as posted, count(*) filter (where state = 'unresolved') as unresolved
    from ledger_entry where ${whereUpload(upload)}`.execute(db);
  return rows[0] ?? { posted: 0, unresolved: 0 };
}
