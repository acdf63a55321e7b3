import type { ChangedInvoices } from "#features/books/index.ts";
import type { ShippingCtx } from "#features/shipping/index.ts";
import type { PackagesCtx } from "#features/packages/index.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Meter } from "#platform/outbound/meter.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";

export type TrackingCtx = ShippingCtx &
  PackagesCtx & {
    books(realmId: string): Books;
    writePolicy: WritePolicy;
    /** Address of an invoice in QuickBooks. */
    invoicePage(invoice: { realmId: string; id: string }): string;
    /** Since when this process works with the database as it is: before that it may have been an older one. */
    findOpenedAt(): Promise<Date>;
    /** Signs Intuit's reports of changes; null where none come. */
    verifierToken: string | null;
    /** Called with invoices as QuickBooks has them now, and ids of deleted ones. */
    onChanged(realmId: string, changed: ChangedInvoices): Promise<void>;
    /** Metered reads of QuickBooks, of all companies. */
    reads: Meter;
    findGrant(realmId: string): Promise<string | null>;
    /** Marks a connection that Intuit refuses. */
    onReconnectNeeded(tx: Db, refused: { realmId: string; grant: string | null }): Promise<boolean>;
  };
