import type { CarrierCtx } from "#features/carrier/index.ts";
import type { Books } from "#integrations/intuit/client.ts";

export type TrackingCtx = CarrierCtx & {
  books(realmId: string): Books;
  /** Address of an invoice in QuickBooks. */
  invoicePage(invoice: { realmId: string; id: string }): string;
};
