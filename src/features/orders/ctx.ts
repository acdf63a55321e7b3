import type { Partner } from "#features/orders/partners/partner.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Notifying } from "#features/notices/index.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import type { WithQuotas } from "#platform/quotas.ts";

export type OrdersCtx = Ctx &
  Notifying &
  WithQuotas & {
    objects: ObjectStore;
    /** Promises to others, kept outside the database: control numbers, notices and files taken. */
    journal: Journal;
    partners: readonly [Partner, ...Partner[]];
    /** Name of the retail customer, for screens and packing slips. */
    retailer: string;
    /** The company's number at the retailer, as its settings have it now; empty without one. */
    findVendorNumber(
      ctx: { partners: OrdersCtx["partners"]; db: Db },
      of: { realmId: string; partner: string },
    ): Promise<string>;
    /**
     * Brings the invoices of orders up to what QuickBooks has, before their documents leave: users may have edited or voided them.
     * @throws AppError 409 or 503 if QuickBooks can't be read
     */
    recheckInvoices(realmId: string, orderIds: readonly string[]): Promise<void>;
  };

/** The context of folders of orders. */
export type FoldersCtx = OrdersCtx & {
  sealingKeys: SealingKeys;
  folders: {
    /** Folder of this machine below which companies may have one; null for none. */
    base: string | null;
    /** Whether SFTP servers in private networks may be called. */
    allowPrivate: boolean;
    /** Time for each answer of an SFTP server. */
    answerMs: number;
  };
};
