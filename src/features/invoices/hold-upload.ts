import type { Books } from "#integrations/intuit/client.ts";
import type { ObjectStore } from "#integrations/objects/file-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { JobTaken } from "#platform/jobs/define-job.ts";
import { holdFence } from "#features/invoices/store.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";

export type InvoicesCtx = Ctx & {
  objects: ObjectStore;
  books(realmId: string): Books;
  /** Address of an invoice's page in QuickBooks. */
  invoicePage(invoice: { realmId: string; id: string }): string;
  /** Names the authorisation that calls to a company's books are made with now. */
  findAuthorisation(realmId: string): Promise<string | null>;
  /** Which of some companies are connected now. */
  findConnected(realmIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Called when Intuit no longer honours an authorisation, in the transaction that lets the work wait.
   * @returns false when the company was connected anew meanwhile: then go on instead
   */
  onReconnectNeeded(tx: Db, refused: { realmId: string; authorisation: string | null }): Promise<boolean>;
};

/** Another worker has taken the upload: this one writes no more and says nothing. */
export class FencedOut extends JobTaken {
  override name = "FencedOut";
}

/** Runs a write on an upload's ledger in one transaction, refused when the fence is no longer ours. @throws FencedOut */
export async function withFence<T>(ctx: Ctx, upload: Held, write: (tx: Db) => Promise<T>): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await enterFence(tx, upload);
    return write(tx);
  });
}

/** Holds the fence for the rest of a transaction. @throws FencedOut */
export async function enterFence(tx: Db, upload: Held): Promise<void> {
  if (!(await holdFence(tx, upload))) throw new FencedOut(`Upload ${upload.id} was taken by another worker.`);
}
