import type { BooksInvoice } from "#features/books/index.ts";
import type { HeldRun } from "#platform/runs/types.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { WithQuotas } from "#platform/quotas.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import type { Db } from "#platform/db/connect.ts";

type Held = Pick<HeldRun, "id" | "needsReconcile" | "requestedAt">;

/** Tells which runs others than this ledger knows of may have worked on. */
export type Holders = {
  /**
   * Whether others may have worked on a run. Not when it was added while this process works with the ledger as it is:
   * then the ledger isn't a copy from before, and an equal invoice in the books is another user's.
   */
  mayHave(run: Held): Promise<boolean>;
  /** Notes that what others did on a run has been found, until the ledger is put back once more. */
  noteFound(run: Held): Promise<void>;
};

/** Context of verbs that change data. */
export type CallCtx = InvoicesCtx & Audited;

export type InvoicesCtx = Ctx &
  WithQuotas & {
    objects: ObjectStore;
    /** Promises to others, kept outside the database: here undos. */
    journal: Journal;
    /** Others than the ledger knows of may have posted. */
    holders: Holders;
    books(realmId: string): Books;
    /** Delays and limits for writes to a company's books. */
    writePolicy: WritePolicy;
    /** Address of an invoice's page in QuickBooks. */
    invoicePage(invoice: { realmId: string; id: string }): string;
    /** Refuses the undo of an upload whose invoices others already have, in the transaction that requests it. */
    guardUndo(tx: Db, upload: { realmId: string; uploadId: string }): Promise<void>;
    /** Receives invoices that an upload posted, after the ledger has them. A failure changes nothing. */
    onPosted(realmId: string, invoices: readonly BooksInvoice[]): Promise<void>;
    /** Finds the authorization currently used for calls to a company's books. */
    findGrant(realmId: string): Promise<string | null>;
    /**
     * Called when Intuit no longer honors a grant, in the transaction that makes the work wait.
     * @returns false if the company was reconnected meanwhile: then the work continues
     */
    onReconnectNeeded(tx: Db, refused: { realmId: string; grant: string | null }): Promise<boolean>;
  };
