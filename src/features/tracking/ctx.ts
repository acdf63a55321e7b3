import type { ShippingCtx } from "#features/labels/index.ts";
import type { Books } from "#integrations/intuit/client.ts";

export type TrackingCtx = ShippingCtx & {
  books(realmId: string): Books;
  /** Address of an invoice in QuickBooks. */
  invoicePage(invoice: { realmId: string; id: string }): string;
};
