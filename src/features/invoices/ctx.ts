import type { Audited } from "#features/audit/index.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { ObjectStore } from "#integrations/objects/file-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import type { Db } from "#platform/db/connect.ts";

/** Context of verbs that change data. */
export type CallCtx = InvoicesCtx & Audited;

export type InvoicesCtx = Ctx & {
  objects: ObjectStore;
  books(realmId: string): Books;
  /** Waits and limits of what is written to a company's books. */
  writePolicy: WritePolicy;
  /** Address of an invoice's page in QuickBooks. */
  invoicePage(invoice: { realmId: string; id: string }): string;
  /** Names the authorization that calls to a company's books are made with now. */
  findGrant(realmId: string): Promise<string | null>;
  /**
   * Called when Intuit no longer honors a grant, in the transaction that lets the work wait.
   * @returns false when the company was connected again meanwhile: then continue instead
   */
  onReconnectNeeded(tx: Db, refused: { realmId: string; grant: string | null }): Promise<boolean>;
};
