import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { withFence } from "#features/invoices/hold-upload.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";
import type { InvoicesTables } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Writes that invoices go out outside their batch, before they do: none of them may be sent in it ever again. */
export async function markSentAlone(
  tx: Db,
  upload: Held,
  { keys, now }: { keys: readonly string[]; now: Date },
): Promise<void> {
  await tables(tx)
    .updateTable("upload_invoice")
    .set({ sent_alone_at: now })
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("invoice_key", "in", [...keys])
    .where("state", "=", "sending")
    .where("sent_alone_at", "is", null)
    .execute();
}

/**
 * Writes that invoices go out now, right before they do: a worker that slept must not send what another has settled.
 * @throws FencedOut
 */
export async function markSent(ctx: Ctx, upload: Held, keys: readonly string[]): Promise<void> {
  await withFence(ctx, upload, async (tx) => {
    await tables(tx)
      .updateTable("upload_invoice")
      .set({ last_sent_at: ctx.clock.now() })
      .where("realm_id", "=", upload.realmId)
      .where("upload_id", "=", upload.id)
      .where("invoice_key", "in", [...keys])
      .where("state", "=", "sending")
      .execute();
  });
}

/** Counts a round in which invoices stayed unclear, be they posted or undone. */
export async function countVainRound(tx: Db, upload: Held, keys: readonly string[]): Promise<void> {
  await tables(tx)
    .updateTable("upload_invoice")
    .set((row) => ({ vain_rounds: row("vain_rounds", "+", 1) }))
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("invoice_key", "in", [...keys])
    .where("state", "in", ["sending", "undoing"])
    .execute();
}
